"""Finding a pasted quote again in texts: as it stands there, else whatever its case, quotation marks and dashes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from annotation.documents.words import inside_word, whole_words

MOST = 100
"""Places that are looked for; who pasted a word that stands there more often pastes more of it."""
_ALIKE = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛‹›′`", "'") | dict.fromkeys("‐‑‒–—―−", "-") | {"…": "..."}
)

Words = TypeVar("Words", bound=Hashable)
"""What a passage says of the words it finds: a `Place`, or a range of tokens."""


class Passage(NamedTuple, Generic[Words]):
    """A text in which words may be marked, and what is known of half-open ranges of its code points.

    `whole`: whether the range begins and ends with words; `widen`: the words that it touches, None for none.
    """

    text: str
    whole: Callable[[int, int], bool]
    widen: Callable[[int, int], Words | None]


class Place(NamedTuple):
    """Whole words of one of several texts (from 0): half-open, in its code points."""

    text: int
    start: int
    end: int


def find(passages: Sequence[Passage[Words]], quote: str) -> list[Words]:
    """The words of each place where `quote` stands, in order, each once; at most 100.

    First as it is but for white space; if it is nowhere so, without regard to case and the kind of quotation marks and
    dashes. Matches that begin and end with words win over those inside words, which are widened.
    """
    for plain in (False, True):
        needle = "".join(char for char, _ in _folded(quote, plain=plain)).strip(" ")
        whole: list[Words] = []
        inside: list[Words] = []
        for passage, start, end in _matches(passages, needle, plain=plain):
            kept = whole if passage.whole(start, end) else inside
            if len(kept) < MOST and (words := passage.widen(start, end)):
                kept.append(words)
            if len(whole) == MOST:
                break
        if whole or inside:
            return list(dict.fromkeys(whole or inside))
    return []


def find_in_texts(texts: Sequence[str], quote: str) -> list[Place]:
    """The same in plain texts (annotation/documents/words.py says what a word is)."""
    return find([_plain_passage(place, text) for place, text in enumerate(texts)], quote)


def _plain_passage(place: int, text: str) -> Passage[Place]:
    def whole(start: int, end: int) -> bool:
        return not inside_word(text, start) and not inside_word(text, end)

    return Passage(text, whole, lambda start, end: Place(place, *whole_words(text, start, end)))


def _folded(text: str, *, plain: bool) -> Iterator[tuple[str, int]]:
    """Each character of `text`, white space squeezed and, if `plain`, made alike, with the code point it stands for."""
    blank = False
    for at, char in enumerate(text):
        if char.isspace():
            if not blank:
                yield " ", at
        else:
            for each in char.translate(_ALIKE).casefold() if plain else char:
                yield each, at
        blank = char.isspace()


def _matches(
    passages: Sequence[Passage[Words]], needle: str, *, plain: bool
) -> Iterator[tuple[Passage[Words], int, int]]:
    """Every match as a range of code points of its passage; none of nothing."""
    for passage in passages if needle else ():
        characters = list(_folded(passage.text, plain=plain))
        text = "".join(char for char, _ in characters)
        at = text.find(needle)
        while at >= 0:
            yield passage, characters[at][1], characters[at + len(needle) - 1][1] + 1
            at = text.find(needle, at + 1)
