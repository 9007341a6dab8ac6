"""Describe the candidates of a layout for display: kind, size, position and excerpt."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter

from annotation.documents.layout import Layout
from annotation.documents.words import says_something
from annotation.html.rendering import Rendering, squeeze
from annotation.html.scanner import START, Scan
from annotation.values.sheets import Box, Heading

EXCERPT = 200
"""Characters of a box's text that are shown in a list."""


def candidate_boxes(scan: Scan, layout: Layout, page: Rendering) -> tuple[Box, ...]:
    """A box for every candidate; its words are those shown in `page`, the rendering of the whole page."""
    kinds = {event.start: event.name.capitalize() for event in scan.events if event.kind == START}
    paths = _heading_paths(layout, page.headings)
    shown = array("l", (word[0] for word in page.words))
    seen: Counter[tuple[int | None, str]] = Counter()
    found = []
    for index, candidate in enumerate(layout.candidates):
        kind = kinds.get(candidate.start_byte) or _kind_by_token(layout, candidate.start_token)
        parent = layout.parents[index]
        seen[parent, kind] += 1
        first = bisect_left(shown, candidate.start_token)
        after = max(first, bisect_left(shown, candidate.end_token))
        found.append(
            Box(
                index=index,
                kind=kind,
                words=sum(_is_word(layout, page.words[place][0]) for place in range(first, after)),
                parent=parent,
                position=seen[parent, kind],
                heading_path=paths[index],
                excerpt=_excerpt(page, first, after),
            )
        )
    return tuple(found)


def _is_word(layout: Layout, token: int) -> bool:
    """Whether a token counts as a word; punctuation doesn't."""
    return says_something(layout.tokens[token].text)


def _kind_by_token(layout: Layout, token: int) -> str:
    """The kind according to its first token, for a layout whose bytes do not match the page."""
    if not 0 <= token < len(layout.tokens):
        return ""
    return layout.tokens[token].text.strip("</>").split(" ")[0]


def _excerpt(page: Rendering, first: int, after: int) -> str:
    if first == after:
        return ""
    start, end = page.words[first][1], page.words[after - 1][2]
    text = squeeze(page.cut(start, min(end, start + 3 * EXCERPT)))
    if len(text) <= EXCERPT and end <= start + 3 * EXCERPT:
        return text
    return text[:EXCERPT].rsplit(" ", 1)[0] + " …"


def _heading_paths(layout: Layout, headings: tuple[Heading, ...]) -> list[tuple[str, ...]]:
    """For each candidate the headings above it, outermost first."""
    paths: list[tuple[str, ...]] = [()] * len(layout.candidates)
    waiting = sorted(headings, key=lambda heading: -heading.start_byte)
    path: list[Heading] = []
    for index in sorted(range(len(paths)), key=lambda index: layout.candidates[index].start_byte):
        while waiting and waiting[-1].start_byte < layout.candidates[index].start_byte:
            heading = waiting.pop()
            while path and path[-1].level >= heading.level:
                path.pop()
            path.append(heading)
        paths[index] = tuple(heading.text for heading in path)
    return paths
