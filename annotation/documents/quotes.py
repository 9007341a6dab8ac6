"""Find a pasted quote in texts: verbatim, otherwise ignoring case, Unicode's forms of a letter, and the kind of
quotation marks and dashes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from annotation.documents.words import boundaries

MAX_MATCHES = 100
"""If there are more, the quote is too short to be useful and people should paste more of it."""
_ALIKE = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛‹›′`", "'") | dict.fromkeys("‐‑‒–—―−", "-") | {"…": "..."}
)

Words = TypeVar("Words", bound=Hashable)
"""What identifies a match: a `QuotePlace`, or a range of tokens."""


class SearchedText(NamedTuple, Generic[Words]):
    """A text to search, with two functions of half-open ranges of its code points.

    `whole`: whether the range cuts no word; `widen`: what can be marked of a match: itself, or the words that it
    touches; None if nothing.
    """

    text: str
    whole: Callable[[int, int], bool]
    widen: Callable[[int, int], Words | None]


class QuotePlace(NamedTuple):
    """A place in one of several texts (numbered from 0): a half-open range of its code points, of whole characters."""

    text: int
    start: int
    end: int


def find(passages: Sequence[SearchedText[Words]], quote: str) -> list[Words]:
    """What can be marked of each match of `quote`, in order, without duplicates; at most 100.

    White space is squeezed. If nothing matches, a second pass ignores case, Unicode's forms of a letter (NFKD), and the
    kind of quotation marks and dashes. Matches of whole words, or of parts such as "Manning" in "Manning's", win over
    those inside words.
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
    found = boundaries(text)

    def whole(start: int, end: int) -> bool:
        return not found.cuts_part(start) and not found.cuts_part(end)

    return SearchedText(text, whole, lambda start, end: QuotePlace(place, *found.whole_characters(start, end)))


def _folded(text: str, *, plain: bool) -> Iterator[tuple[str, int]]:
    """(character, its index in `text`), with white space squeezed and, if `plain`, folded as for the second pass."""
    blank = False
    for at, char in enumerate(text):
        if char.isspace():
            if not blank:
                yield " ", at
        else:
            for each in _plain(char) if plain else char:
                yield each, at
        blank = char.isspace()


@cache
def _plain(char: str) -> str:
    return unicodedata.normalize("NFKD", char.translate(_ALIKE)).casefold()


def _matches(
    passages: Sequence[SearchedText[Words]], needle: str, *, plain: bool
) -> Iterator[tuple[SearchedText[Words], int, int]]:
    """(passage, start, end) of every match, in code points; an empty needle matches nothing."""
    for passage in passages if needle else ():
        characters = list(_folded(passage.text, plain=plain))
        text = "".join(char for char, _ in characters)
        at = text.find(needle)
        while at >= 0:
            end = at + len(needle)
            if not _is_part(characters, at) and not _is_part(characters, end):
                yield passage, characters[at][1], characters[end - 1][1] + 1
            at = text.find(needle, at + 1)


def _is_part(characters: Sequence[tuple[str, int]], at: int) -> bool:
    """Whether this is not the first of those that one character was folded into: "café" has no "cafe"."""
    return 0 < at < len(characters) and characters[at - 1][1] == characters[at][1]
