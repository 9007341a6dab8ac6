"""Parse the visible tags of a page into a tree, as a flat list of steps that refer to the source.

The parser gets a skeleton: each visible tag by name and number, each run of text as one placeholder character. So no
attribute, entity or script of the page reaches the tree; elements and text can be traced by number however the parser
reorders a malformed page; and parsing takes a few milliseconds. White space is added around blocks and after line
breaks, here and in `visible_text`, so that the words of two cells never run together.
"""
# ruff: noqa: SIM905 (lists of names read better as words)

from __future__ import annotations

from array import array

from turbohtml.saxparse import SaxHandler, sax_parse

from annotation.html.limits import PageRefused
from annotation.html.scanner import END, START, TEXT, MarkupEvent, Scan

OPEN, CLOSE, SPACE, PIECE = 0, 1, 2, 3
WHITE = b" \t\n\f\r"
VOID = frozenset({"br", "hr", "wbr", "col", "img"})
FORMATTING = frozenset("b code em i s small strong u".split())
"""Formatting elements, which the parser may reopen (adoption agency algorithm) and which therefore have no number."""

BLOCKS = frozenset(
    "address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu ol p pre section summary table tbody td tfoot"
    " th thead tr ul br col colgroup body html nav".split()
)
"""Tags that are word boundaries."""

_SAME = FORMATTING | frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr td th blockquote hr br div"
    " figure figcaption sub sup kbd samp var cite q del ins mark abbr dfn bdi bdo ruby rt rp wbr pre img".split()
)
_AS = dict.fromkeys(
    "address article aside center details dialog fieldset footer form header hgroup legend main section"
    " summary".split(),
    "div",
) | {"dir": "ul", "menu": "ul", "listing": "pre", "strike": "s", "tt": "code", "acronym": "abbr"}
_NAMES = {name: name for name in _SAME} | _AS
_LAST = 0x10FFFF - 0x10000
DEPTH_LIMIT = 256
ELEMENTS_LIMIT = 100_000
"""Formatting that is never closed is reopened in every block, so a small page can make a huge tree."""


class Structure(SaxHandler):
    """The steps of a page's visible tree.

    `steps` holds (OPEN, name, index of the start tag or -1), (CLOSE, name, index of the end tag or -1),
    (SPACE, white space, 0) and (PIECE, "", number of the run); `pieces` are the shown runs of text in source order,
    as indexes of `scan.events`. PageRefused if the tree is too deep or too large.
    """

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.pieces = array("l")
        self.apart = bytearray()
        """For each run whether a run of white space separates it from the one before it in the source."""
        self._space = False
        self.steps: list[tuple[int, str, int]] = []
        self._level = self._elements = 0
        self._formatting: set[str] = set()
        """Names of the open formatting elements in the tree."""
        self._left_out: list[bool] = []
        """For each open element of the parser whether it is left out of the tree."""
        self._closing = -1
        sax_parse(self._skeleton(), self)

    def _skeleton(self) -> str:
        parts = ["<!DOCTYPE html><body>"]
        spaced = True
        kept: dict[int, str] = {}
        for index, event in enumerate(self.scan.events):
            if event.kind == TEXT:
                if event.shown:
                    spaced = self._write_text(parts, index, event)
                continue
            if not event.shown:
                if event.name == "math" and event.kind == START and event.parent_shown:
                    parts.append(f"<img x={index}>")
                continue
            block = event.name in BLOCKS
            if event.kind == START:
                if block and not spaced:
                    spaced = self._write_space(parts, "\n")
                name = self._name(event)
                if name is not None:
                    parts.append(f"<{name}>" if name in FORMATTING else f"<{name} x={index}>")
                    if (last := self.scan.matches[index]) is not None:
                        kept[last] = name
            elif (name := kept.get(index)) is not None and name not in VOID:
                parts.append(f"<!--{index}--></{name}>")
            if block and not spaced and (event.kind == END or event.name in VOID):
                spaced = self._write_space(parts, "\n")
        return "".join(parts)

    def _write_text(self, parts: list[str], index: int, event: MarkupEvent) -> bool:
        """Write one run; returns whether it ends in white space."""
        raw = self.scan.source[event.start : event.end]
        if raw.isspace() and not raw.strip(WHITE):
            return self._write_space(parts, raw.decode())
        if len(self.pieces) > _LAST:
            raise PageRefused("The page has more than a million runs of text.")
        parts.append(chr(0x10000 + len(self.pieces)))
        self.pieces.append(index)
        self.apart.append(self._space)
        self._space = False
        return raw[-1] in WHITE

    def _write_space(self, parts: list[str], white: str) -> bool:
        parts.append(white)
        self._space = True
        return True

    @staticmethod
    def _name(event: MarkupEvent) -> str | None:
        """A start tag's name in the tree; None if only its contents are kept."""
        if event.name == "span" and ("lang" in event.attrs or "dir" in event.attrs):
            return "span"
        return _NAMES.get(event.name)

    def start_element(self, tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
        """An element opens; html, head and body come from the skeleton and are skipped."""
        self._closing = -1
        if tag in ("html", "head", "body"):
            return
        self._level += 1
        if self._level > DEPTH_LIMIT:
            raise PageRefused(f"The page's elements are nested more than {DEPTH_LIMIT} levels deep.")
        self._left_out.append(tag in self._formatting)
        if tag in self._formatting:
            return  # bold in bold: without effect, but unclosed it comes three times in every block
        if tag in FORMATTING:
            self._formatting.add(tag)
        self._elements += 1
        if self._elements > ELEMENTS_LIMIT:
            raise PageRefused(
                f"The page has more than {ELEMENTS_LIMIT:,} elements, counting unclosed formatting in every block."
            )
        self.steps.append((OPEN, tag, int(attrs[0][1] or -1) if attrs else -1))

    def end_element(self, tag: str) -> None:
        """An element closes: by the end tag whose number came just before, or implicitly."""
        if tag in ("html", "head", "body"):
            return
        self._level -= 1
        if self._left_out.pop():
            return
        self._formatting.discard(tag)
        closer = -1
        if self._closing >= 0 and _NAMES.get(self.scan.events[self._closing].name, "span") == tag:
            closer, self._closing = self._closing, -1
        self.steps.append((CLOSE, tag, closer))

    def characters(self, data: str) -> None:
        """White space and the placeholders of runs."""
        self._closing = -1
        start = 0
        for at, char in enumerate(data):
            if char >= "\U00010000":
                if start < at:
                    self.steps.append((SPACE, data[start:at], 0))
                self.steps.append((PIECE, "", ord(char) - 0x10000))
                start = at + 1
        if start < len(data):
            self.steps.append((SPACE, data[start:], 0))

    def comment(self, data: str) -> None:
        """The number of the end tag that follows."""
        self._closing = int(data)
