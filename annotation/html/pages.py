"""Taking in a page: what is refused, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.documents.layout import Layout
from annotation.html.errors import PageRefused
from annotation.html.nq_layout import Marks, laid_out, read, title_of
from annotation.html.renderer import drawn
from annotation.html.rendering import Rendering, squeeze
from annotation.html.sanitizer import language_and_direction
from annotation.html.scanner import TEXT, Scan
from annotation.html.tree import Structure

BYTES_LIMIT = 4 * 1024 * 1024
TOKENS_LIMIT = 60_000
MARKS_LIMIT = 200_000
"""Tags and character references together: what keeps reading a hostile page within a second or two."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was taken in: UTF-8 without a byte order mark, newlines as line feeds.

    `lang` and `dir` ("ltr", "rtl" or "") are those of the html element, "" where it has none or a wrong one.
    """

    source: bytes
    lang: str
    dir: str
    title: str


def open_page(data: bytes) -> Page:
    """Take in the bytes of a page, or raise PageRefused."""
    return read_page(data)[0]


def read_page(data: bytes) -> tuple[Page, Scan, Structure, Marks]:
    """The same with what was read of it on the way. Dear checks come after cheap ones."""
    if len(data) > BYTES_LIMIT:
        raise PageRefused(f"The page has {len(data):,} bytes; at most {BYTES_LIMIT:,} are taken.")
    source = _normalised(data)
    count = source.count(b"<") + source.count(b"&")
    if count > MARKS_LIMIT:
        raise PageRefused(f"The page has {count:,} tags and character references; at most {MARKS_LIMIT:,} are taken.")
    scan = Scan(source)
    _check_round_trip(scan)
    structure = Structure(scan)  # refuses what is nested too deep
    marks = read(scan, at_most=TOKENS_LIMIT)
    if marks is None:
        raise PageRefused(f"The page has more than {TOKENS_LIMIT:,} tokens.")
    lang, direction = language_and_direction(scan.root())
    title = title_of(scan)
    words = squeeze(scan.decode(scan.events[title])) if title >= 0 else ""
    return Page(source, lang, direction, words), scan, structure, marks


def take_in(data: bytes) -> tuple[Page, Layout, Rendering]:
    """`open_page`, `lay_out` and `render` of one page in half of their time; PageRefused as they raise it."""
    page, scan, structure, marks = read_page(data)
    layout = laid_out(scan, structure, marks)
    return page, layout, drawn(scan, structure, layout)


def _normalised(data: bytes) -> bytes:
    if b"\0" in data:
        raise PageRefused("The page is binary: it holds NUL bytes.")
    source = data.removeprefix(b"\xef\xbb\xbf")
    try:
        source.decode()
    except UnicodeDecodeError as error:
        raise PageRefused(f"The page is not UTF-8: byte {error.start} is wrong.") from None
    return source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _check_round_trip(scan: Scan) -> None:
    """Every offset must lead back to what was read there, or no span of the page can be trusted."""
    at = 0
    for event in scan.events:
        piece = scan.source[event.start : event.end]
        whole = event.kind == TEXT or (piece.startswith(b"<") and piece.endswith(b">")) or not piece
        if event.start < at or not whole:
            raise PageRefused(f"The page is read differently at byte {event.start} than it is written.")
        at = event.end
