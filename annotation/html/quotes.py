"""Find a pasted quote among the words of a rendered page, and the text that people can see of one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from annotation.documents import quotes
from annotation.html.rendering import Rendering, squeeze
from annotation.html.scanner import TEXT, Scan
from annotation.html.tree import BLOCKS


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
