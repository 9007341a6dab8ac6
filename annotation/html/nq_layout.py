"""Split a raw page into tokens and candidates the way Natural Questions does: the layout "goldfinch/1".

"goldfinch/2" is that of a page with words that are cut by dictionary (Thai, Lao, Khmer, Burmese): clauses before.

Tokens, in order of their bytes: the words of the title, then the tags of headings, paragraphs, lists and tables
(`TAGS`; without attributes, except the colspan of a wide cell) and the words, but few of the site's chrome. An element
that the source never closes has no closing token. Candidates: elements of `KINDS` that contain a token of a word, outer
before inner, except in tail sections (`TAIL`) and navigation boxes. A box is also left out if its content in the tree
differs from its byte range (text moved out of a broken table), so that a box on the screen is always its byte range.

Inferred from the one published page that was available, and not verified on others: which parts of the site's chrome
keep their words (language links, the last lines of the footer); two initials in a row are one token ("U. S."); digits
between hyphens are split; the headings of tail sections (`TAIL`); H4 to H6 give no tokens.
Known differences from it: tokens that join a word, a tag and a full stop; letters of back references; "04. 007" in
identifiers; the lower-cased site name in the title; Han split by character.
"""
# ruff: noqa: SIM905 (lists of names read better as words)

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice
from typing import overload

from annotation.documents.layout import Candidate, Layout, Token
from annotation.html import ptb_tokenizer
from annotation.html.scanner import END, START, TEXT, MarkupEvent, Scan, is_simple
from annotation.html.tree import CLOSE, OPEN, PIECE, SPACE, Structure

VERSION, VERSION_BY_DICTIONARY = "goldfinch/1", "goldfinch/2"
TAGS = {name: name.capitalize() for name in "h1 h2 h3 p ul ol li dl dt dd table tr th td".split()}
KINDS = frozenset("p table tr ul ol dl li dd dt".split())
TAIL = frozenset(
    {
        "see also", "notes", "references", "external links", "further reading", "notes and references", "footnotes",
        "citations", "references and notes", "works cited",
    }
)  # fmt: skip

_token = partial(tuple.__new__, Token)
"""Builds one in half of the time: most runs of text are read here."""


@dataclass(slots=True)
class PageTokens:
    """The tokens of a page, and for each event of its scan (and for the end) the number of tokens before it."""

    tokens: list[Token]
    before: list[int]


def lay_out(source: bytes) -> Layout:
    """The layout of a page as `open_page` gives it: UTF-8 with newlines as line feeds."""
    scan = Scan(source)
    return layout_of(scan, Structure(scan), tokenize(scan))


def layout_of(scan: Scan, structure: Structure, page_tokens: PageTokens) -> Layout:
    """The layout of a page that is scanned, parsed and tokenized already."""
    by_dictionary = any(ptb_tokenizer.BY_DICTIONARY.search(token.text) for token in page_tokens.tokens)
    version = VERSION_BY_DICTIONARY if by_dictionary else VERSION
    return Layout(version, tuple(page_tokens.tokens), _candidates(scan, structure, page_tokens.before))


@overload
def tokenize(scan: Scan) -> PageTokens: ...
@overload
def tokenize(scan: Scan, *, at_most: int) -> PageTokens | None: ...
def tokenize(scan: Scan, *, at_most: int | None = None) -> PageTokens | None:
    """Every token of the page; None if there are more than `at_most`."""
    tokens: list[Token] = []
    before: list[int] = []
    title = title_of_page(scan)
    most = None if at_most is None else at_most + 1
    for index, event in enumerate(scan.events):
        before.append(len(tokens))
        if event.kind == TEXT:
            if (event.tokenized and not event.chrome) or index == title:
                tokens += _words(scan, event, most)
        elif event.tokenized and event.name in TAGS:
            tokens.append(Token(_tag(event), event.start, event.end, True))
        if at_most is not None and len(tokens) > at_most:
            return None
    before.append(len(tokens))
    return PageTokens(tokens, before)


def title_of_page(scan: Scan) -> int:
    """The index of the page title's text, or -1; a title element after the first text of the page doesn't count."""
    for index, event in enumerate(scan.events[:-1]):
        if event.kind == START and event.name == "title":
            return index + 1
        if event.kind == TEXT and event.tokenized and scan.decode(event).strip():
            break
    return -1


def _tag(event: MarkupEvent) -> str:
    """The token of a tag: capitalised, without attributes except the colspan of a wide cell."""
    name = TAGS[event.name]
    if event.kind == END:
        return f"</{name}>"
    columns = event.attrs.get("colspan") or ""
    if event.name in ("th", "td") and columns.isascii() and columns.isdigit() and int(columns[:6]) > 1:
        return f'<{name} colspan="{columns}">'
    return f"<{name}>"


def _words(scan: Scan, event: MarkupEvent, at_most: int | None) -> list[Token]:
    """The words of a run of text; words that share a character reference are joined."""
    text = scan.decode(event)
    found = islice(ptb_tokenizer.split(text), at_most)
    if is_simple(event, text):
        at = event.start
        return [_token((word, at + a, at + b, False)) for word, a, b in found]
    starts, ends = scan.offsets(event)
    tokens: list[Token] = []
    for word, a, b in found:
        if tokens and tokens[-1].end > starts[a]:
            last = tokens.pop()
            tokens.append(Token(last.text + word, last.start, ends[b - 1], False))
        else:
            tokens.append(Token(word, starts[a], ends[b - 1], False))
    return tokens


def _candidates(scan: Scan, structure: Structure, before: list[int]) -> tuple[Candidate, ...]:
    boxes = [(start, end, before[first], before[last]) for first, last, start, end in _boxes(scan, structure, before)]
    boxes.sort(key=lambda box: (box[0], -box[1]))
    candidates: list[Candidate] = []
    around: list[Candidate] = []
    for start, end, start_token, end_token in boxes:
        while around and around[-1].end_byte <= start:
            around.pop()
        if around and around[-1].end_byte < end:
            continue  # it ends after the box around it: the page is malformed
        candidate = Candidate(start, end, start_token, end_token, not around)
        candidates.append(candidate)
        around.append(candidate)
    return tuple(candidates)


class _Open:
    """An open element, with the first of its runs and the end of its contents so far."""

    __slots__ = ("end", "event", "last", "piece")

    def __init__(self, event: int, piece: int, end: int) -> None:
        self.event = event
        self.piece = piece
        self.last = event
        """Index of the last event in it."""
        self.end = end


def _boxes(scan: Scan, structure: Structure, before: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """Elements that may be candidates: half-open ranges of events and of bytes, (first, after, start, end)."""
    events, pieces = scan.events, structure.pieces
    order: list[int] = []
    breaks: list[int] = []
    """For each run in tree order, how often the tree's order has differed from the source's so far."""
    apart = False
    stack: list[_Open] = []
    sections = _Sections()
    worded = [0, *accumulate(before[piece + 1] - before[piece] for piece in pieces)]
    """For each run the number of tokens in the runs before it."""
    for what, name, number in structure.steps:
        if what == PIECE:
            event = events[pieces[number]]
            if stack:
                _reach(stack[-1], pieces[number], event.end)
            wrong = bool(order) and (order[-1] + 1 != number or structure.apart[number] != apart)
            apart = False
            breaks.append((breaks[-1] if breaks else 0) + wrong)
            order.append(number)
            sections.text(scan, event)
        elif what == SPACE:
            apart = True
        elif what == OPEN:
            at = events[number] if number >= 0 else None
            sections.open(name, at)
            stack.append(_Open(number, len(order), at.end if at else 0))
        elif what == CLOSE:
            box = stack.pop()
            if number >= 0:
                _reach(box, number, events[number].end)
            if stack and box.end:
                _reach(stack[-1], box.last, box.end)
            in_tail = sections.in_tail
            sections.close(name)
            if (
                name not in KINDS
                or box.event < 0
                or in_tail
                or len(order) == box.piece
                or not events[box.event].tokenized
                or events[box.event].name not in TAGS  # a menu or dir is shown as a list but has no token
            ):
                continue
            first, last = order[box.piece], order[-1]
            start = events[box.event].start
            in_order = breaks[-1] == breaks[box.piece]
            after_start = events[pieces[first]].start >= start and (not first or events[pieces[first - 1]].end <= start)
            before_end = last + 1 >= len(pieces) or events[pieces[last + 1]].start >= box.end
            if in_order and after_start and before_end and worded[last + 1] > worded[first]:
                yield box.event, box.last + 1, start, box.end


def _reach(box: _Open, event: int, end: int) -> None:
    """Extend an element to the end of an event."""
    if end > box.end:
        box.end, box.last = end, event


class _Sections:
    """Tracks whether the tree is in a tail section or a navigation box, which have no candidates."""

    def __init__(self) -> None:
        self._heading: list[str] | None = None
        self._tail = False
        self._open: list[bool] = []
        self._navboxes = 0

    @property
    def in_tail(self) -> bool:
        return self._tail or self._navboxes > 0

    def open(self, name: str, event: MarkupEvent | None) -> None:
        classes = (event.attrs.get("class") or "").split() if event else ()
        self._open.append("navbox" in classes)
        self._navboxes += self._open[-1]
        if name in ("h1", "h2"):
            self._heading = []

    def text(self, scan: Scan, event: MarkupEvent) -> None:
        if self._heading is not None:
            self._heading.append(scan.decode(event))

    def close(self, name: str) -> None:
        self._navboxes -= self._open.pop()
        if name in ("h1", "h2") and self._heading is not None:
            self._tail = " ".join("".join(self._heading).lower().split()).rstrip(":") in TAIL
            self._heading = None
