"""Random spans of a page: what was shown of them, beside what their bytes cut to."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator

from annotation.documents.layout import Layout
from annotation.html import Rendering, cut

LENGTHS = (1, 5, 40, 1000)
"""The most shown words in a span; the number is drawn for each."""


def ranges(layout: Layout, rendering: Rendering, *, spans: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """(quote, first byte, byte after the last) of random ranges of shown words inside random candidates."""
    rng = random.Random(seed)
    shown = [word[0] for word in rendering.words]
    for _ in range(spans):
        candidate = rng.choice(layout.candidates)
        low, high = bisect_left(shown, candidate.start_token), bisect_left(shown, candidate.end_token)
        first = rng.randrange(low, high)
        last = rng.randrange(first, min(high, first + rng.choice(LENGTHS)))
        quote = rendering.quote(shown[first], shown[last] + 1)
        yield quote, layout.tokens[shown[first]].start, layout.tokens[shown[last]].end


def mismatches(
    source: bytes, layout: Layout, rendering: Rendering, *, spans: int, seed: int, off: int = 0
) -> list[tuple[str, str]]:
    """The random spans whose quote is not the cut of their bytes, `off` bytes from where they should be."""
    wrong = []
    for quote, start, end in ranges(layout, rendering, spans=spans, seed=seed):
        try:
            again = cut(source, start + off, end + off)
        except ValueError:  # it ends beyond the page or splits a character
            again = ""
        if quote != again or not quote:
            wrong.append((quote, again))
    return wrong
