"""Tokenise plain text into words; `frontend/static/goldfinch/spans/words.js` has the same rule for browsers.

A word is a run of letters, digits and their marks, with a hyphen, an apostrophe, a full stop, a comma or a middle dot
between two of them ("it's", "3.5", "state-of-the-art"). Any other character that is not white space is a token by
itself, so a span may begin and end anywhere except inside a word. In text without spaces (Chinese) whole clauses are
words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from annotation.documents.text import Span

JOINS = "-'’.,·"
"""Characters that are part of a word if there is a letter or a digit on both sides."""


def words(text: str) -> Iterator[Span]:
    """The words of a text in order, without punctuation and symbols."""
    end = 0
    for at in range(len(text)):
        if at >= end and _lettered(text, at):
            end = at + 1
            while inside_word(text, end):
                end += 1
            yield Span(at, end)


def says_something(text: str) -> bool:
    """Whether a text has a letter or a digit, of any script; marks, symbols and invisible characters say nothing."""
    return any(map(str.isalnum, text))


def inside_word(text: str, at: int) -> bool:
    """Whether the boundary before that code point is inside a word."""
    return (_lettered(text, at - 1) or _joins(text, at - 1)) and (_lettered(text, at) or _joins(text, at))


def whole_words(text: str, start: int, end: int) -> Span:
    """The range, extended to whole words."""
    while inside_word(text, start):
        start -= 1
    while inside_word(text, end):
        end += 1
    return Span(start, end)


def _lettered(text: str, at: int) -> bool:
    return 0 <= at < len(text) and unicodedata.category(text[at])[0] in "LNM"


def _joins(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at] in JOINS and _lettered(text, at - 1) and _lettered(text, at + 1)
