"""Render a page: serialise its visible tree in our own markup, verify it with a second sanitizer, locate its words."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import replace

from annotation.documents.layout import Layout
from annotation.html import sanitizer
from annotation.html.candidates import candidate_boxes
from annotation.html.limits import PageRefused, check_size, check_tokens
from annotation.html.rendering import Image, Rendering
from annotation.html.sanitizer import language_and_direction
from annotation.html.scanner import Scan, is_simple
from annotation.html.serializer import Writer, Written
from annotation.html.tree import Structure


def render(source: bytes, layout: Layout, *, root: int | None = None) -> Rendering:
    """The page as a safe fragment of HTML; with `root`, only that candidate, wrapped in the list or table it needs.

    `data-c` on an element is its candidate's index; candidates without an element of their own have none. Raises
    PageRefused if the page is over the limits, can't be serialised so that it parses back the same, or doesn't show
    `root` (also after a later version hides it), and IndexError for a `root` that doesn't exist.
    """
    check_size(source)
    check_tokens(len(layout.tokens))
    if root is not None and not 0 <= root < len(layout.candidates):
        raise IndexError(f"The layout has no candidate {root}.")
    scan = Scan(source)
    return render_scan(scan, Structure(scan), layout, root=root)


def render_scan(scan: Scan, structure: Structure, layout: Layout, *, root: int | None = None) -> Rendering:
    """`render` for a page that is scanned and parsed already."""
    written = _write(scan, structure, layout, root)
    words = find_words(scan, structure, layout, written.places)
    html, text = "".join(written.parts), "".join(written.runs)
    page = Rendering(html, text, tuple(written.headings), (), words, images=tuple(written.images))
    candidates = candidate_boxes(scan, layout, page)
    lang, direction = language_and_direction(scan.root())
    shown = page if root is None else _part(written, page, root)
    return replace(shown, candidates=candidates, lang=lang, dir=direction)


def check_shown(scan: Scan, structure: Structure, layout: Layout) -> tuple[str, tuple[Image, ...]]:
    """The text and the images that name a file; PageRefused if `render` would raise it. Takes a third of its time."""
    written = _write(scan, structure, layout, None)
    return "".join(written.runs), tuple(written.images)


def _write(scan: Scan, structure: Structure, layout: Layout, root: int | None) -> Written:
    """Serialise the page so that parsing gives the same tree: with its own elements, else with div and span only."""
    for flat in (False, True):
        written = Writer(scan, structure, layout, root=root, flat=flat).write()
        html = "".join(written.parts)
        if sanitizer.clean(html) == html:
            return written
    raise PageRefused("The page is built in a way that cannot be shown faithfully.")


def _part(written: Written, page: Rendering, root: int) -> Rendering:
    """One candidate of a serialised page as a fragment of its own."""
    extent = written.extents.get(root)
    if extent is None:
        raise PageRefused("The box is not shown on the page.")
    (first, after), (start, end) = extent.parts, extent.units
    before = "".join(written.around)
    behind = "".join(f"</{tag[1:-1].split(' ')[0]}>" for tag in reversed(written.around))
    html = before + "".join(written.parts[first:after]) + behind
    if sanitizer.clean(html) != html:
        raise PageRefused("The box is built in a way that cannot be shown faithfully.")
    inside = {f"gf-h{n}" for n, part in enumerate(written.heading_parts, 1) if first <= part < after}
    return Rendering(
        html=html,
        text="".join(written.runs[slice(*extent.runs)]),
        headings=tuple(heading for heading in page.headings if heading.id in inside),
        candidates=(),
        words=tuple((token, a - start, b - start) for token, a, b in page.words if start <= a and b <= end),
        images=tuple(image for image in page.images if f'data-i="{image.at}"' in html),
    )


def find_words(scan: Scan, structure: Structure, layout: Layout, places: list[int]) -> tuple[tuple[int, int, int], ...]:
    """(token index, start, end) in UTF-16 code units of each word that is fully shown.

    `places` has the offset of each shown run of the source in the text, -1 if it is not in it. Tokens that begin or
    end outside shown text, or split a character, are left out.
    """
    runs = _Runs(scan, structure, places)
    words = []
    for index, token in enumerate(layout.tokens):
        if token.html or token.start >= token.end:
            continue
        start, end = runs.start(token.start), runs.end(token.end)
        if start is not None and end is not None and start < end:
            words.append((index, start, end))
    return tuple(words)


class _Runs:
    """The shown runs of text, found by byte."""

    def __init__(self, scan: Scan, structure: Structure, places: list[int]) -> None:
        self._scan = scan
        self._pieces = structure.pieces
        self._places = places
        self._starts = array("l", (scan.events[piece].start for piece in structure.pieces))
        self._tables: dict[int, tuple[dict[int, int], dict[int, int]] | None] = {}

    def start(self, byte: int) -> int | None:
        """The offset in the text of the character that starts at `byte`, or None."""
        return self._find(bisect_right(self._starts, byte) - 1, byte, end=False)

    def end(self, byte: int) -> int | None:
        """The offset in the text after the character that ends at `byte`, or None."""
        return self._find(bisect_left(self._starts, byte) - 1, byte, end=True)

    def _find(self, number: int, byte: int, *, end: bool) -> int | None:
        if number < 0 or self._places[number] < 0:
            return None
        event = self._scan.events[self._pieces[number]]
        if byte > event.end or (byte == event.end and not end):
            return None
        table = self._tables[number] if number in self._tables else self._table(number)
        if table is None:
            return self._places[number] + byte - event.start
        inside = table[end].get(byte)
        return None if inside is None else self._places[number] + inside

    def _table(self, number: int) -> tuple[dict[int, int], dict[int, int]] | None:
        """Maps from byte to text offsets in a run, for starts and ends of characters; None if they are the same."""
        event = self._scan.events[self._pieces[number]]
        text = self._scan.decode(event)
        self._tables[number] = None
        if not is_simple(event, text):
            starts: dict[int, int] = {}
            ends: dict[int, int] = {}
            at = 0
            for char, start, end in zip(text, *self._scan.offsets(event), strict=True):
                starts.setdefault(start, at)
                at += 2 if char > "\uffff" else 1
                ends[end] = at
            self._tables[number] = starts, ends
        return self._tables[number]
