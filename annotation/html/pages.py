"""Decode and validate an imported page against its limits, normalise it and read its metadata."""

from __future__ import annotations

from dataclasses import dataclass

from turbohtml.detect import detect

from annotation.documents.layout import Layout
from annotation.html.limits import TOKENS_LIMIT, PageRefused, check_size, check_tokens
from annotation.html.nq_layout import PageTokens, layout_of, title_of_page, tokenize
from annotation.html.renderer import check_shown
from annotation.html.rendering import Image, squeeze
from annotation.html.sanitizer import language_and_direction
from annotation.html.scanner import TEXT, Scan
from annotation.html.tree import Structure

HEAD = 64 * 1024
"""Bytes in which the html element of a page that can't be opened is looked for."""
UTF8 = "UTF-8"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
BINARY = "The page is binary: it contains NUL bytes."
DECLARED = 1.0
"""turbohtml's confidence in what a page declares; its guesses have less."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A valid page: UTF-8 without a byte order mark, newlines as line feeds. `encoding` is the one that it had.

    `lang` and `dir` ("ltr", "rtl" or "") are those of the html element, "" if missing or invalid.
    """

    source: bytes
    lang: str
    dir: str
    title: str
    encoding: str = UTF8


def open_page(data: bytes) -> HtmlPage:
    """Validate and normalise the bytes of a page, or raise PageRefused."""
    return read_page(data)[0]


def read_page(data: bytes) -> tuple[HtmlPage, Scan, Structure, PageTokens]:
    """`open_page`, with its intermediate results. Cheap checks first."""
    check_size(data)
    source, encoding = _normalised(data)
    if encoding != UTF8:
        check_size(source)
    scan = Scan(source)
    _check_round_trip(scan)
    structure = Structure(scan)  # refuses pages nested too deep
    tokens = tokenize(scan, at_most=TOKENS_LIMIT)
    if tokens is None:
        raise PageRefused(f"The page has more tokens than the limit, {TOKENS_LIMIT:,}.")
    lang, direction = language_and_direction(scan.root())
    title = title_of_page(scan)
    words = squeeze(scan.decode(scan.events[title])) if title >= 0 else ""
    return HtmlPage(source, lang, direction, words, encoding), scan, structure, tokens


def language_of(data: bytes) -> tuple[str, str]:
    """The language and direction of a page that can't be opened, "" if not stated at its beginning."""
    try:
        return language_and_direction(Scan(data[:HEAD]).root())
    except PageRefused:
        return "", ""


def take_in(data: bytes) -> tuple[HtmlPage, Layout, tuple[Image, ...]]:
    """`open_page` and `lay_out` with a single parse, and the page's images; PageRefused if it can't be rendered."""
    page, scan, structure, tokens = read_page(data)
    layout = layout_of(scan, structure, tokens)
    text, images = check_shown(scan, structure, layout)
    if not text.strip():
        raise PageRefused("The page has no visible words.")
    return page, layout, images


def open_published(data: bytes, layout: Layout) -> tuple[HtmlPage, str]:
    """`open_page`, and the reason why the page can't be rendered with this layout ("" if it can)."""
    page, scan, structure, _tokens = read_page(data)
    if page.source != data:
        scan = Scan(data)
        structure = Structure(scan)
    try:
        check_tokens(len(layout.tokens))
        check_shown(scan, structure, layout)
    except PageRefused as refused:
        return page, refused.reason
    return page, ""


def _normalised(data: bytes) -> tuple[bytes, str]:
    """The page in UTF-8 with line feeds, and the encoding that it had."""
    source, encoding = to_utf8(data)
    return source.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), encoding


def _check_round_trip(scan: Scan) -> None:
    """Check that the parser's offsets match the source; otherwise no span of the page can be trusted."""
    at = 0
    for event in scan.events:
        piece = scan.source[event.start : event.end]
        whole = event.kind == TEXT or (piece.startswith(b"<") and piece.endswith(b">")) or not piece
        if event.start < at or not whole:
            raise PageRefused(f"The page cannot be parsed reliably at byte {event.start}.")
        at = event.end


def to_utf8(data: bytes) -> tuple[bytes, str]:
    """The page in UTF-8 without a byte order mark, and the encoding that it had; raises PageRefused.

    Valid UTF-8 stays as it is, whatever the page declares.
    """
    marked = data.startswith(UTF16_MARKS)
    if not marked and b"\0" in data:
        raise PageRefused(BINARY)
    found = None if marked else _utf8(data)
    if found is not None:
        return found, UTF8
    match = detect(data)
    name, codec = match.encoding or "", match.codec or UTF8
    if name.upper().startswith(UTF8) or match.confidence < DECLARED:
        raise PageRefused(_not_utf8(data, "" if name.upper().startswith(UTF8) else name))
    text = data.decode(codec).removeprefix("\ufeff")
    if "\ufffd" in text:  # the codec decodes as a browser does, which never fails
        raise PageRefused(f"The page declares {name}, but has bytes that are not in it. Convert it to UTF-8.")
    if "\0" in text:
        raise PageRefused(BINARY)
    return text.encode(), name


def _utf8(data: bytes) -> bytes | None:
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    return data.removeprefix(b"\xef\xbb\xbf")


def _not_utf8(data: bytes, guess: str) -> str:
    """Why it is refused, with the encoding that it seems to have, if any."""
    try:
        data.decode()
        at = 0
    except UnicodeDecodeError as error:
        at = error.start
    said = f"The page is not UTF-8: byte {at:,} is invalid."
    if guess:
        said += f" It seems to be {guess}: convert it, or declare it with <meta charset={guess}> at its beginning."
    return said
