"""Write into a rendering which boxes and words people chose, each mark with the letters of those who did; find a pasted
quote among its words, and the text that people can see."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise

from annotation.documents import quotes
from annotation.html import sanitizer
from annotation.html.rendering import Rendering, squeeze
from annotation.html.scanner import TEXT, Scan
from annotation.html.serializer import utf16_length
from annotation.html.tree import BLOCKS

Tokens = tuple[int, int]
"""A half-open range of tokens."""

_PARTS = re.compile(r"<[^>]*>|[^<]+")
"""Tags and texts of a rendering. A regex is safe: < and > are always escaped in texts and attributes."""
_BOX = re.compile(r' data-c="(\d+)"')
_BEFORE = ("<table", "<ul", "<ol", "<dl")
"""Elements that can't begin with a label: it is written before them, and of a row into its first cell."""
_CELL = re.compile(r"<t[dh][ >]")


def with_marks(
    rendering: Rendering, boxes: Mapping[int, str], spans: Iterable[tuple[Tokens, str]], *, chosen: int | None = None
) -> str:
    """The HTML of a rendering with these boxes and spans marked by their letters; `chosen`: the box to scroll to.

    Spans of several people may overlap. Words that the rendering doesn't show are not marked.
    """
    shown = [(*place, letter) for tokens, letter in spans if (place := _place(rendering, tokens)) is not None]
    written: list[str] = []
    at, pending = 0, ""
    for part in _PARTS.findall(rendering.html):
        if not part.startswith("<"):
            text = html.unescape(part)
            end = at + utf16_length(text)
            written.append(_text(part, text, at, [each for each in shown if each[0] < end and at < each[1]]))
            at = end
            continue
        box = _BOX.search(part)
        letters = boxes.get(int(box[1]), "") if box else ""
        if letters and box:
            here = ' id="chosen" data-chosen' if int(box[1]) == chosen else ""
            label = f'<b class="by">{letters}</b>'
            tag = part.replace(box[0], f'{box[0]}{here} data-by="{letters}"', 1)
            written.append(f"{label}{tag}" if part.startswith(_BEFORE) else tag)
            pending = label if not part.startswith(_BEFORE) else ""
            if pending and not part.startswith("<tr"):
                written.append(pending)
                pending = ""
        else:
            written.append(part)
            if pending and _CELL.match(part):
                written.append(pending)
                pending = ""
    return "".join(written)


def _place(rendering: Rendering, tokens: Tokens) -> tuple[int, int] | None:
    """Where the shown words of a range begin and end in the text."""
    inside = [word for word in rendering.words if tokens[0] <= word[0] < tokens[1]]
    return (inside[0][1], inside[-1][2]) if inside else None


def _text(part: str, text: str, at: int, spans: Sequence[tuple[int, int, str]]) -> str:
    """A text, which begins at this offset, with the spans in it."""
    if not spans:
        return part
    wide = text.encode("utf-16-le")
    length = len(wide) // 2
    cuts = {0, length} | {min(max(end - at, 0), length) for span in spans for end in span[:2]}
    return "".join(
        _piece(wide[2 * start : 2 * end].decode("utf-16-le"), at + start, at + end, spans)
        for start, end in pairwise(sorted(cuts))
    )


def _piece(text: str, start: int, end: int, spans: Sequence[tuple[int, int, str]]) -> str:
    escaped = sanitizer.escape(text)
    by = sorted({letter for first, last, letter in spans if first < end and start < last})
    if not by or not text.strip():  # white space between the rows of a table can't be in an element
        return escaped
    ends = sorted({letter for _first, last, letter in spans if last == end})
    label = f' data-end="{" ".join(ends)}"' if ends else ""
    return f'<mark data-by="{" ".join(by)}"{label}>{escaped}</mark>'


def find_quote(rendering: Rendering, text: str, within: tuple[int, int]) -> list[tuple[int, int]]:
    """Half-open token ranges of the matches of `text` among the shown words of the token range `within`, in order.

    For the rules of matching and the limit see `annotation.documents.quotes.find`.
    """
    words = sorted((word for word in rendering.words if within[0] <= word[0] < within[1]), key=lambda word: word[1])
    if not words:
        return []
    tokens, starts, ends = zip(*words, strict=True)
    region = rendering.cut(starts[0], ends[-1])
    units = list(accumulate((2 if char > "\uffff" else 1 for char in region), initial=starts[0]))
    first, last = frozenset(starts), frozenset(ends)

    def whole(start: int, end: int) -> bool:
        return units[start] in first and units[end] in last

    def widen(start: int, end: int) -> tuple[int, int] | None:
        touched = tokens[bisect_right(ends, units[start]) : bisect_left(starts, units[end])]
        return (touched[0], touched[-1] + 1) if touched else None

    return quotes.find([quotes.SearchedText(region, whole, widen)], text)


def cut(source: bytes, start_byte: int, end_byte: int) -> str:
    """The visible text of source[start_byte:end_byte], white space squeezed and stripped.

    Markup is dropped, character references are resolved, and what `render` hides is hidden; a block's tag or a line
    break counts as white space. The range must begin and end in visible parts of the page, as words and boxes do, since
    nothing outside it is read. ValueError if it is out of bounds or splits a character.
    """
    if not 0 <= start_byte <= end_byte <= len(source):
        raise ValueError(f"There are no bytes {start_byte} to {end_byte} in a page of {len(source)} bytes.")
    scan = Scan(source[start_byte:end_byte])
    parts = []
    for event in scan.events:
        if not event.shown:
            continue
        if event.kind == TEXT:
            parts.append(scan.decode(event))
        elif event.name in BLOCKS:
            parts.append(" ")
    return squeeze("".join(parts))
