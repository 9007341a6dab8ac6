"""Find a pasted quote in texts: verbatim, otherwise ignoring case and the kind of quotation marks and dashes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from annotation.documents.words import inside_word, whole_words

MAX_MATCHES = 100
"""If there are more, the quote is too short to be useful and people should paste more of it."""
_ALIKE = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛‹›′`", "'") | dict.fromkeys("‐‑‒–—―−", "-") | {"…": "..."}
)

Words = TypeVar("Words", bound=Hashable)
"""What identifies a match: a `QuotePlace`, or a range of tokens."""


class SearchedText(NamedTuple, Generic[Words]):
    """A text to search, with two functions of half-open ranges of its code points.

    `whole`: whether the range begins and ends at word boundaries; `widen`: the words that it touches, or None.
    """

    text: str
    whole: Callable[[int, int], bool]
    widen: Callable[[int, int], Words | None]


class QuotePlace(NamedTuple):
    """Whole words in one of several texts (numbered from 0): a half-open range of its code points."""

    text: int
    start: int
    end: int


def find(passages: Sequence[SearchedText[Words]], quote: str) -> list[Words]:
    """The words of each match of `quote`, in order, without duplicates; at most 100.

    White space is squeezed. If nothing matches, a second pass ignores case and the kind of quotation marks and dashes.
    Matches at word boundaries win over matches inside words, which are widened to whole words.
    """
    for plain in (False, True):
        needle = "".join(char for char, _ in _folded(quote, plain=plain)).strip(" ")
        whole: list[Words] = []
        inside: list[Words] = []
        for passage, start, end in _matches(passages, needle, plain=plain):
            kept = whole if passage.whole(start, end) else inside
            if len(kept) < MAX_MATCHES and (words := passage.widen(start, end)):
                kept.append(words)
            if len(whole) == MAX_MATCHES:
                break
        if whole or inside:
            return list(dict.fromkeys(whole or inside))
    return []


def find_in_texts(texts: Sequence[str], quote: str) -> list[QuotePlace]:
    """`find` in plain texts (annotation/documents/words.py says what a word is)."""
    return find([_plain_passage(place, text) for place, text in enumerate(texts)], quote)


def _plain_passage(place: int, text: str) -> SearchedText[QuotePlace]:
    def whole(start: int, end: int) -> bool:
        return not inside_word(text, start) and not inside_word(text, end)

    return SearchedText(text, whole, lambda start, end: QuotePlace(place, *whole_words(text, start, end)))


def _folded(text: str, *, plain: bool) -> Iterator[tuple[str, int]]:
    """(character, its index in `text`), with white space squeezed and, if `plain`, folded as for the second pass."""
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
    passages: Sequence[SearchedText[Words]], needle: str, *, plain: bool
) -> Iterator[tuple[SearchedText[Words], int, int]]:
    """(passage, start, end) of every match, in code points; an empty needle matches nothing."""
    for passage in passages if needle else ():
        characters = list(_folded(passage.text, plain=plain))
        text = "".join(char for char, _ in characters)
        at = text.find(needle)
        while at >= 0:
            yield passage, characters[at][1], characters[at + len(needle) - 1][1] + 1
            at = text.find(needle, at + 1)
