"""Serialise the visible tree of a page as HTML, recording the offsets of runs, headings and candidates."""

from __future__ import annotations

from dataclasses import dataclass, field

from annotation.documents.layout import Layout
from annotation.html import sanitizer
from annotation.html.rendering import Heading, Image, squeeze
from annotation.html.scanner import Scan
from annotation.html.tree import CLOSE, OPEN, PIECE, Structure

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(slots=True)
class _Element:
    """An open element: its name and attributes, where it begins in the HTML and in the text, and its counter."""

    name: str
    kept: dict[str, str]
    candidate: int | None
    part: int
    run: int
    at: int
    items: int = 0
    """A list's last item number; an item's or a heading's own number."""
    start_byte: int = -1


@dataclass(frozen=True, slots=True)
class Extent:
    """A candidate's half-open ranges in parts of the HTML, in runs of text and in UTF-16 code units."""

    parts: tuple[int, int]
    runs: tuple[int, int]
    units: tuple[int, int]


@dataclass(slots=True)
class Written:
    """A serialised page."""

    parts: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    """For each shown run of the source its offset in the text, in UTF-16 code units; -1 if it is not in it."""
    headings: list[Heading] = field(default_factory=list)
    heading_parts: list[int] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    extents: dict[int, Extent] = field(default_factory=dict)
    around: tuple[str, ...] = ()
    """Start tags needed around the root when it is shown alone, outermost first."""


def utf16_length(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


class Writer:
    """Serialises the steps of a structure.

    With `flat` it writes only div and span, which a parser never moves: for trees that no HTML parses back to (a
    paragraph inside a paragraph, say).
    """

    def __init__(self, scan: Scan, structure: Structure, layout: Layout, *, root: int | None, flat: bool) -> None:
        self._scan = scan
        self._structure = structure
        self._root = root
        self._flat = flat
        self._numbers = {c.start_byte: n for n, c in reversed(list(enumerate(layout.candidates)))}
        self._written = Written(places=[-1] * len(structure.pieces))
        self._open: list[_Element] = []
        self._at = 0

    def write(self) -> Written:
        """Write the whole page."""
        written = self._written
        events, pieces = self._scan.events, self._structure.pieces
        for what, name, number in self._structure.steps:
            if what == OPEN:
                self._start(name, number)
            elif what == CLOSE:
                self._end()
            else:
                text = name
                if what == PIECE:
                    text = self._scan.decode(events[pieces[number]])
                    written.places[number] = self._at
                written.parts.append(sanitizer.escape(text))
                written.runs.append(text)
                self._at += utf16_length(text)
        return written

    def _start(self, name: str, number: int) -> None:
        written = self._written
        event = self._scan.events[number] if number >= 0 else None
        candidate = self._numbers.pop(event.start, None) if event else None
        element = _Element(name, {}, candidate, len(written.parts), len(written.runs), self._at)
        if event and name == "img":
            image = sanitizer.image(self._scan, event)
            if image is not None:
                written.images.append(image)
            written.parts.append(sanitizer.placeholder(self._scan, event, image))
        else:
            if event:
                element.kept = sanitizer.attributes(name, event)
                element.start_byte = event.start
            if name == "pre":
                element.kept = {**element.kept, "class": " ".join(filter(None, (element.kept.get("class"), "gf-pre")))}
            written.parts.append(self._tag(element))
            if name == "li" and self._open:
                self._count(element)
        self._open.append(element)

    def _tag(self, element: _Element) -> str:
        name, kept = self._name(element.name), dict(element.kept)
        if self._flat and name not in sanitizer.VOID:
            kept = {key: kept[key] for key in ("lang", "dir", "class") if key in kept}
        if element.name in HEADINGS:
            if self._flat:
                kept |= {"role": "heading", "aria-level": element.name[1]}
            self._written.heading_parts.append(len(self._written.parts))
            element.items = len(self._written.heading_parts)
            kept["id"] = f"gf-h{element.items}"
        if element.candidate is not None:
            kept["data-c"] = str(element.candidate)
        return sanitizer.tag(name, kept)

    def _name(self, name: str) -> str:
        """An element's name in our HTML. A pre becomes a div, since parsing a pre drops its first newline."""
        if name == "pre":
            return "div"
        if not self._flat or name in ("br", "hr", "wbr"):
            return name
        return "span" if name in sanitizer.INLINE else "div"

    def _count(self, item: _Element) -> None:
        """Number a list item, so that it keeps its number when it is shown alone."""
        around = self._open[-1]
        if "value" in item.kept:
            around.items = int(item.kept["value"])
        else:
            first = around.items == 0 and "start" in around.kept
            around.items = int(around.kept["start"]) if first else around.items + 1
        item.items = around.items

    def _end(self) -> None:
        written = self._written
        element = self._open.pop()
        name = self._name(element.name)
        if name not in sanitizer.VOID and element.name != "img":
            written.parts.append(f"</{name}>")
        if element.name in HEADINGS:
            self._heading(element)
        if element.candidate is not None:
            written.extents[element.candidate] = Extent(
                parts=(element.part, len(written.parts)),
                runs=(element.run, len(written.runs)),
                units=(element.at, self._at),
            )
            if element.candidate == self._root:
                written.around = tuple(self._around(element))

    def _heading(self, element: _Element) -> None:
        """Record a heading, if it has text."""
        text = squeeze("".join(self._written.runs[element.run :]))
        if text:
            heading = Heading(int(element.name[1]), text, f"gf-h{element.items}", element.start_byte)
            self._written.headings.append(heading)

    def _around(self, element: _Element) -> list[str]:
        """The start tags that a candidate needs around it when it is shown alone."""
        around: list[str] = []
        inherited: dict[str, str] = {}
        for outer in self._open:
            inherited |= {key: outer.kept[key] for key in ("lang", "dir") if key in outer.kept}
        if inherited:
            around.append(sanitizer.tag("div", inherited))
        if self._flat:
            return around
        parent = self._open[-1] if self._open else None
        if element.name == "tr":
            table = next((outer for outer in reversed(self._open) if outer.name == "table"), None)
            around += [sanitizer.tag("table", _look(table.kept if table else {})), "<tbody>"]
        elif element.name in ("dd", "dt"):
            around.append("<dl>")
        elif element.name == "li":
            around.append(_list(element, parent))
        return around


def _list(item: _Element, parent: _Element | None) -> str:
    """The start tag of a list for a single item that keeps its number."""
    if parent is None or parent.name not in ("ul", "ol"):
        return "<ul>"
    kept = _look(parent.kept)
    if parent.name == "ol" and "reversed" not in parent.kept:
        kept |= {"start": str(item.items)} | {key: parent.kept[key] for key in ("type",) if key in parent.kept}
    return sanitizer.tag(parent.name, kept)


def _look(kept: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in kept.items() if key == "class"}
