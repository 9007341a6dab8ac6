"""Find a pasted quote among the words of a rendered page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from annotation.documents import quotes
from annotation.html.rendering import Rendering


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

    return quotes.find([quotes.Passage(region, whole, widen)], text)
