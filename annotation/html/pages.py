"""Validate an imported page against its limits, normalise it and read its metadata."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.documents.layout import Layout
from annotation.html.errors import PageRefused
from annotation.html.nq_layout import PageTokens, layout_of, title_of, tokenize
from annotation.html.renderer import render_scan
from annotation.html.rendering import Rendering, squeeze
from annotation.html.sanitizer import language_and_direction
from annotation.html.scanner import TEXT, Scan
from annotation.html.tree import Structure

BYTES_LIMIT = 4 * 1024 * 1024
TOKENS_LIMIT = 60_000
MARKUP_LIMIT = 200_000
"""Tags and character references together; bounds the time for a hostile page to a second or two."""


@dataclass(frozen=True, slots=True)
class Page:
    """A valid page: UTF-8 without a byte order mark, newlines as line feeds.

    `lang` and `dir` ("ltr", "rtl" or "") are those of the html element, "" if missing or invalid.
    """

    source: bytes
    lang: str
    dir: str
    title: str


def open_page(data: bytes) -> Page:
    """Validate and normalise the bytes of a page, or raise PageRefused."""
    return read_page(data)[0]


def read_page(data: bytes) -> tuple[Page, Scan, Structure, PageTokens]:
    """`open_page`, with its intermediate results. Cheap checks first."""
    if len(data) > BYTES_LIMIT:
        raise PageRefused(f"The page has {len(data):,} bytes; the limit is {BYTES_LIMIT:,}.")
    source = _normalised(data)
    count = source.count(b"<") + source.count(b"&")
    if count > MARKUP_LIMIT:
        raise PageRefused(f"The page has {count:,} tags and character references; the limit is {MARKUP_LIMIT:,}.")
    scan = Scan(source)
    _check_round_trip(scan)
    structure = Structure(scan)  # refuses pages nested too deep
    tokens = tokenize(scan, at_most=TOKENS_LIMIT)
    if tokens is None:
        raise PageRefused(f"The page has more than {TOKENS_LIMIT:,} tokens.")
    lang, direction = language_and_direction(scan.root())
    title = title_of(scan)
    words = squeeze(scan.decode(scan.events[title])) if title >= 0 else ""
    return Page(source, lang, direction, words), scan, structure, tokens


def take_in(data: bytes) -> tuple[Page, Layout, Rendering]:
    """`open_page`, `lay_out` and `render` with a single parse, in half of their time; raises PageRefused as they do."""
    page, scan, structure, tokens = read_page(data)
    layout = layout_of(scan, structure, tokens)
    return page, layout, render_scan(scan, structure, layout)


def _normalised(data: bytes) -> bytes:
    if b"\0" in data:
        raise PageRefused("The page is binary: it contains NUL bytes.")
    source = data.removeprefix(b"\xef\xbb\xbf")
    try:
        source.decode()
    except UnicodeDecodeError as error:
        raise PageRefused(f"The page is not UTF-8: byte {error.start} is invalid.") from None
    return source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _check_round_trip(scan: Scan) -> None:
    """Check that the parser's offsets match the source; otherwise no span of the page can be trusted."""
    at = 0
    for event in scan.events:
        piece = scan.source[event.start : event.end]
        whole = event.kind == TEXT or (piece.startswith(b"<") and piece.endswith(b">")) or not piece
        if event.start < at or not whole:
            raise PageRefused(f"The page cannot be parsed reliably at byte {event.start}.")
        at = event.end
