"""Scan a page into a flat list of events (tags and runs of text) with byte ranges and visibility.

Tokens, rendering and visible text all start from this list, so they agree on what a reader sees. Visibility depends on
the tags' names and attributes alone, not on the tree, so a range of the page with visible ends gives the same result
as the whole page.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Generator, Iterator

from turbohtml import TokenType, tokenize

from annotation.html.limits import PageRefused
from annotation.html.visibility import ENDED_BY, RAW_TEXT, VOID, WHOLE, is_tokenized_chrome, region_of

TEXT, START, END = 0, 1, 2
NO_ATTRS: dict[str, str] = {}
NO_TAG = "</>"
"""Ignored by browsers, and by the tokenizer without a trace; like a comment it separates two runs of text."""
BROKEN_FOREIGN_LIMIT = 100
"""How often a self-closing <title/> or <style/> inside a drawing may restart the scan; no real page has one."""


class MarkupEvent:
    """One run of text, start tag or end tag: half-open bytes [start, end) of the source."""

    __slots__ = ("attrs", "chrome", "end", "kind", "name", "parent_shown", "refs", "shown", "start", "tokenized")

    def __init__(self, kind: int, start: int, end: int, name: str, attrs: dict[str, str]) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.name = name
        self.attrs = attrs
        self.refs: list[tuple[int, int, str]] | None = None
        """Character references in a run of text: (start, end, characters), in order."""
        self.shown = True
        """Whether the rendered page shows it."""
        self.tokenized = True
        """Whether it has tokens."""
        self.chrome = False
        """Whether it belongs to the site's navigation or footer."""
        self.parent_shown = True
        """Of a start tag: whether everything around its element is shown."""


class Scan:
    """The events of a source, each with `shown` and `tokenized` set.

    The source is read as Latin-1, where one character is one byte, so every offset is a byte offset; UTF-8 is decoded
    run by run. That is safe: markup characters are ASCII, which no byte of a longer UTF-8 sequence is.
    """

    def __init__(self, source: bytes) -> None:
        # Published pages may have carriage returns, which browsers read as newlines; byte offsets must not change.
        source = source.replace(b"\r\n", b" \n").replace(b"\r", b"\n") if b"\r" in source else source
        self.source = source
        self.events: list[MarkupEvent] = list(_events(source.decode("latin-1")))
        self.matches = _matches(self.events)
        self._set_visibility()

    def root(self) -> MarkupEvent | None:
        """The start tag of the html element, if the source has one."""
        return next((event for event in self.events if event.kind == START and event.name == "html"), None)

    def _set_visibility(self) -> None:
        """Set for each event whether it is shown and tokenized; regions run from a start tag to its end tag.

        A footer without one runs to the end of the element around it, as in a browser. Others don't: a menu that is
        never closed would take the text after it along.
        """
        shown_from = tokenized_from = chrome_until = tokenized_chrome_until = 0
        raw = False
        for index, event in enumerate(self.events):
            if event.kind == TEXT:
                if raw:
                    event.shown = event.tokenized = False
                    continue
            else:
                event.parent_shown = index >= shown_from
                raw = event.kind == START and event.name in RAW_TEXT
                if event.kind == START and (region := region_of(event.name, event.attrs)) is not WHOLE:
                    runs_on = region.comes_last and event.name not in VOID and index >= chrome_until
                    after = self._after(index, runs_on=runs_on)
                    if not region.shown:
                        shown_from = max(shown_from, after)
                    if not region.tokenized:
                        tokenized_from = max(tokenized_from, after)
                    if region.chrome:
                        chrome_until = max(chrome_until, after)
                if index < chrome_until and event.kind == START and is_tokenized_chrome(event.attrs):
                    tokenized_chrome_until = max(tokenized_chrome_until, self._after(index))
            event.shown = index >= shown_from
            event.tokenized = index >= tokenized_from
            event.chrome = tokenized_chrome_until <= index < chrome_until

    def _after(self, index: int, *, runs_on: bool = False) -> int:
        """The index after the element that starts at `index`.

        An element whose end tag is optional ends before the next tag that implies its end. If nothing closes it, it
        ends right after its tag, or with `runs_on` before the first end tag of anything that did not begin in it: that
        can be told even from a range of the page that begins after the element around it.
        """
        last = self.matches[index]
        if last is not None:
            return last + 1
        if ended_by := ENDED_BY.get(self.events[index].name):
            for later in range(index + 1, len(self.events)):
                if self.events[later].name in ended_by:
                    return later
        if not runs_on:
            return index + 1
        begun: Counter[str] = Counter()
        for later in range(index + 1, len(self.events)):
            name = self.events[later].name
            if self.events[later].kind == START:
                begun[name] += 1
            elif self.events[later].kind == END:
                if not begun[name]:
                    return later
                begun[name] -= 1
        return len(self.events)

    def decode(self, event: MarkupEvent) -> str:
        """The text of a run, with character references resolved."""
        if event.refs is None:
            return self.source[event.start : event.end].decode()
        return "".join(text for _, _, text in self._parts(event))

    def _parts(self, event: MarkupEvent) -> Iterator[tuple[int, int, str]]:
        """A run split into plain text and character references: (start, end, text)."""
        at = event.start
        for start, end, text in event.refs or ():
            if at < start:
                yield at, start, self.source[at:start].decode()
            yield start, end, text
            at = end
        if at < event.end:
            yield at, event.end, self.source[at : event.end].decode()

    def offsets(self, event: MarkupEvent) -> tuple[array[int], array[int]]:
        """For each character of `decode(event)` the byte offsets of its start and end in the source."""
        starts, ends = array("l"), array("l")
        references = {start for start, _, _ in event.refs or ()}
        for start, end, text in self._parts(event):
            if start in references:
                starts.extend([start] * len(text))
                ends.extend([end] * len(text))
                continue
            at = start
            for char in text:
                starts.append(at)
                at += 1 if char < "\x80" else 2 if char < "\u0800" else 3 if char < "\U00010000" else 4
                ends.append(at)
        return starts, ends


def is_simple(event: MarkupEvent, text: str) -> bool:
    """Whether character offsets in the run equal byte offsets."""
    return event.refs is None and text.isascii()


def _events(page: str) -> Iterator[MarkupEvent]:
    """Tags and runs of text of a Latin-1 page. Comments, doctypes and processing instructions are skipped."""
    offset = restarts = 0
    while True:
        again = yield from _pass(page, offset)
        if again is None:
            return
        restarts += 1
        if restarts > BROKEN_FOREIGN_LIMIT:
            raise PageRefused("The page has too many broken drawings or formulas to be read safely.")
        offset = again


def _pass(page: str, offset: int) -> Generator[MarkupEvent, None, int | None]:
    """Yield events from `offset`; return the offset at which to restart, or None at the end.

    Inside svg and math a self-closing <title/> is closed, but an HTML tokenizer without a tree builder takes the rest
    of the page for its text: there the scan restarts after the tag.
    """
    at = offset
    run: MarkupEvent | None = None
    foreign = 0
    raw = False
    for token in tokenize(page[offset:] if offset else page, resolve_references=False, capture_source=True):
        kind = token.type
        if kind is TokenType.TEXT:
            for start, end in _text_parts(page, at, token.data or "", raw):
                if run is not None and run.end < start:
                    yield run
                    run = None
                if run is None:
                    run = MarkupEvent(TEXT, start, end, "", NO_ATTRS)
                run.end = at = end
            continue
        written = token.source or ""
        if not raw and page.startswith(NO_TAG, at):
            at = _after_no_tags(page, at)
            if run is not None:
                yield run
                run = None
        end = at + len(written)
        if kind is TokenType.CHARACTER_REFERENCE:
            if run is None:
                run = MarkupEvent(TEXT, at, end, "", NO_ATTRS)
            start, stands_for, rest = _reference(at, written, token.data or "")
            if run.refs is None:
                run.refs = []
            run.refs.append((start, end - rest, stands_for))
            run.end = at = end
            continue
        if run is not None:
            yield run
            run = None
        raw = kind is TokenType.START_TAG and token.tag in RAW_TEXT
        if kind is TokenType.START_TAG:
            name = token.tag or ""
            attrs = token.attrs
            yield MarkupEvent(START, at, end, name, dict(attrs) if attrs else NO_ATTRS)
            if name in ("svg", "math") and not token.self_closing:
                foreign += 1
            elif foreign and token.self_closing and name in RAW_TEXT:
                yield MarkupEvent(END, end, end, name, NO_ATTRS)
                return end
        elif kind is TokenType.END_TAG:
            yield MarkupEvent(END, at, end, token.tag or "", NO_ATTRS)
            if token.tag in ("svg", "math") and foreign:
                foreign -= 1
        at = end
    if run is not None:
        yield run
    return None


def _text_parts(page: str, at: int, data: str, raw: bool) -> Iterator[tuple[int, int]]:
    """Where in the page the text of a token is: one range, or several around NO_TAG, which is not part of it."""
    if (raw or NO_TAG not in data) and page.startswith(data, at):
        yield at, at + len(data)
        return
    left = len(data)
    while left:
        at = _after_no_tags(page, at)
        after = page.find(NO_TAG, at, at + left + 2)
        end = at + left if after < 0 else after
        yield at, end
        left -= end - at
        at = end


def _after_no_tags(page: str, at: int) -> int:
    while page.startswith(NO_TAG, at):
        at += len(NO_TAG)
    return at


def _reference(at: int, source: str, data: str) -> tuple[int, str, int]:
    """Split one reference of the tokenizer: (start, its characters, number of plain characters after it).

    Without its semicolon a reference may include the letters after it: "&notit" is "¬" and the letters "it". A
    carriage return becomes a newline here, since it would become one when the rendered page is parsed.
    """
    rest = 0
    if not source.endswith(";"):
        while rest < len(data) - 1 and data[-1 - rest] == source[-1 - rest]:
            rest += 1
    return at, data[: len(data) - rest].replace("\r", "\n"), rest


def _matches(events: list[MarkupEvent]) -> list[int | None]:
    """For each start tag the index of its matching end tag of the same name, or None."""
    matches: list[int | None] = [None] * len(events)
    open_tags: dict[str, list[int]] = {}
    for index, event in enumerate(events):
        if event.kind == START:
            open_tags.setdefault(event.name, []).append(index)
        elif event.kind == END and (waiting := open_tags.get(event.name)):
            matches[waiting.pop()] = index
    return matches
