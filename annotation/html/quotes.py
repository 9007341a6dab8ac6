"""Finding a pasted quote again among the words of a rendered page."""

from __future__ import annotations

from annotation.html.rendering import Rendering

MATCHES_LIMIT = 100
_ALIKE = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛‹›′`", "'") | dict.fromkeys("‐‑‒–—―−", "-") | {"…": "..."}
)


def find_quote(rendering: Rendering, text: str, within: tuple[int, int]) -> list[tuple[int, int]]:
    """Half-open token ranges where `text` stands in the shown words of the token range `within`, in order.

    First as it is but for white space; if that is nowhere, without regard to case and the kind of quotation marks and
    dashes. Matches that begin and end with words win over those inside words, which are widened to whole words. At
    most 100.
    """
    words = [word for word in rendering.words if within[0] <= word[0] < within[1]]
    if not words:
        return []
    start, end = min(word[1] for word in words), max(word[2] for word in words)
    region = rendering.cut(start, end)
    for plain in (False, True):
        needle, _ = _fold(text, 0, plain=plain)
        folded, places = _fold(region, start, plain=plain)
        if matches := _matches(folded, needle.strip(" "), places, words):
            return matches
    return []


def _fold(text: str, at: int, *, plain: bool) -> tuple[str, list[tuple[int, int]]]:
    """`text` with white space squeezed and, if `plain`, its characters made alike; for each the units it stands for."""
    out: list[str] = []
    places: list[tuple[int, int]] = []
    for char in text:
        width = 2 if char > "\uffff" else 1
        if char.isspace():
            if not out or out[-1] != " ":
                out.append(" ")
                places.append((at, at + width))
        else:
            for each in char.translate(_ALIKE).casefold() if plain else char:
                out.append(each)
                places.append((at, at + width))
        at += width
    return "".join(out), places


def _matches(
    text: str, needle: str, places: list[tuple[int, int]], words: list[tuple[int, int, int]]
) -> list[tuple[int, int]]:
    if not needle:
        return []
    starts, ends = {word[1] for word in words}, {word[2] for word in words}
    whole: list[tuple[int, int]] = []
    widened: list[tuple[int, int]] = []
    at = text.find(needle)
    while at >= 0 and len(whole) < MATCHES_LIMIT and len(widened) < MATCHES_LIMIT:
        start, end = places[at][0], places[at + len(needle) - 1][1]
        touched = [word[0] for word in words if word[1] < end and start < word[2]]
        if touched:
            found = touched[0], touched[-1] + 1
            (whole if start in starts and end in ends else widened).append(found)
        at = text.find(needle, at + 1)
    return list(dict.fromkeys(whole or widened))
