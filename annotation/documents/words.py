"""Where words and characters begin and end in plain text: one rule for marking, finding and counting.

It is UAX 29 as ICU has it, with dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese, which are written
without spaces, and the same for every language, so that no setting changes what a word is. Pages get the boundaries
with their text (`frontend/templatetags/words.py`); browsers have no rule of their own.

A *token* is what a span snaps to: a word ("it's", "3.5", each part of "state-of-the-art"), or a symbol such as "$".
Punctuation, white space and what is invisible are none. A span may be finer than tokens, down to a character as people
see it (a grapheme cluster): "Manning" in "Manning's".
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate, islice
from typing import NamedTuple

from icu4py.breakers import BaseBreaker, CharacterBreaker, WordBreaker

from annotation.documents.text import Span

ROOT = "und"
"""The locale of the rule: none."""
SIGNS = frozenset("%‰#@&*/\\§¶†‡％＃＠＆＊／＼")
"""What Unicode counts as punctuation, and people as part of what they mark: "50 %"."""
SHORT = 10_000
"""Code points of a paragraph."""
KEPT_SHORT, KEPT_LONG = 1_000, 32
"""Texts whose boundaries are remembered: all parts of some documents, and some whole texts. A token takes 8 bytes."""
_NO_SPACES = re.compile(
    "[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]"
)
"""Han and kana, which people count by characters."""


class Length(NamedTuple):
    """How long a text is: its words or, in Chinese and Japanese, its characters, without punctuation."""

    n: int
    in_characters: bool


class Boundaries:
    """The tokens and characters of a text. All offsets are code points, but for `units`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._points = None if text.isascii() or max(text) <= "\uffff" else _points_of_units(text)

    @cached_property
    def _ends(self) -> tuple[array[int], array[int]]:
        """The starts and the ends of the tokens."""
        starts, ends = array("I"), array("I")
        for start, end in self._segments(WordBreaker):
            if is_token(self.text[start:end]):
                starts.append(start)
                ends.append(end)
        return starts, ends

    @cached_property
    def _clusters(self) -> tuple[array[int], array[int]]:
        """The starts and the ends of the characters that have several code points."""
        starts, ends = array("I"), array("I")
        if not self.text.isascii() or "\r" in self.text:
            for start, end in self._segments(CharacterBreaker):
                if end - start > 1:
                    starts.append(start)
                    ends.append(end)
        return starts, ends

    def _segments(self, breaker: type[BaseBreaker]) -> Iterator[tuple[int, int]]:
        """ICU's segments, which it counts in UTF-16 units."""
        segments = breaker(self.text, ROOT).segments()
        if self._points is None:
            return segments
        points = self._points
        return ((points[start], points[end]) for start, end in segments)

    @property
    def tokens(self) -> Iterator[Span]:
        """The tokens in order."""
        return map(Span, *self._ends)

    @property
    def clusters(self) -> Iterator[Span]:
        """The characters that have several code points, in order."""
        return map(Span, *self._clusters)

    @cached_property
    def codes(self) -> tuple[str, str]:
        """The tokens, and the characters of several UTF-16 units, for the scripts of a page (`spans/boundaries.js`).

        Numbers in UTF-16 units, by turns: how far it is to the next range, and how long that is.
        """
        if self._points is None:
            return _coded(self.tokens), _coded(self.clusters)
        units = list(accumulate((2 if char > "\uffff" else 1 for char in self.text), initial=0))
        inside = {at for start, end in self.clusters for at in range(start, end)}
        wide = (Span(at, at + 1) for at, char in enumerate(self.text) if char > "\uffff" and at not in inside)
        clusters = sorted([*self.clusters, *wide])
        tokens, characters = (
            _coded(Span(units[start], units[end]) for start, end in ranges) for ranges in (self.tokens, clusters)
        )
        return tokens, characters

    def cuts_token(self, at: int) -> bool:
        """Whether a token would be cut there."""
        return _is_inside(*self._ends, at)

    def cuts_part(self, at: int) -> bool:
        """Whether a token would be cut there between two letters or digits, and not at a sign: "Manning|'s"."""
        return self.cuts_token(at) and _continues(self.text[at - 1]) and _continues(self.text[at])

    def cuts_character(self, at: int) -> bool:
        """Whether a character would be cut there."""
        return _is_inside(*self._clusters, at)

    def whole_characters(self, start: int, end: int) -> Span:
        """The range, extended to whole characters."""
        starts, ends = self._clusters
        if self.cuts_character(start):
            start = starts[bisect_left(starts, start) - 1]
        if self.cuts_character(end):
            end = ends[bisect_left(starts, end) - 1]
        return Span(start, end)


def boundaries(text: str) -> Boundaries:
    """The tokens and characters of a text; those of texts used last are remembered."""
    return _of_short(text) if len(text) <= SHORT else _of_long(text)


_of_short = lru_cache(maxsize=KEPT_SHORT)(Boundaries)
_of_long = lru_cache(maxsize=KEPT_LONG)(Boundaries)


def is_token(segment: str) -> bool:
    """Whether spans snap to this segment: it has a letter, a digit or a symbol."""
    return segment[0].isalnum() or any(char in SIGNS or unicodedata.category(char)[0] in "LNS" for char in segment)


def is_visible(text: str) -> bool:
    """Whether there is anything to be seen in a text, such as a full stop: no space, control or lone mark is."""
    return any(unicodedata.category(char)[0] in "LNPS" for char in text)


def words(text: str) -> Iterator[Span]:
    """The words of a text in order, without punctuation and symbols."""
    return (token for token in boundaries(text).tokens if says_something(token.text_in(text)))


def opening(text: str, most: int) -> str:
    """The first words of a text in one line, at most so many, with an ellipsis if these are not all."""
    ends = [word.end for word in islice(words(text), most + 1)]
    shown = text if len(ends) <= most else text[: ends[most - 1]]
    return " ".join(shown.split()) + ("" if len(ends) <= most else " …")


LANGUAGES = (
    ("ja", re.compile("[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9d]")),
    ("ko", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("lo", re.compile("[\u0e80-\u0eff]")),
    ("my", re.compile("[\u1000-\u109f]")),
    ("km", re.compile("[\u1780-\u17ff]")),
)
"""Languages whose script says which they are; Japanese first, since it has Chinese characters, too."""
SHARE_OF_KANA = 0.2
"""Of a text's letters: Chinese texts quote a Japanese name, and Japanese ones have far more kana."""


def language_by_script(text: str) -> str:
    """The language of a text whose script says so: by it fonts and voices are chosen. "" if the script does not."""
    letters = 0 if text.isascii() else sum(map(str.isalpha, text))
    for language, script in LANGUAGES:
        found = len(script.findall(text))
        if found and found > letters * (SHARE_OF_KANA if language == "ja" else 0.5):
            return language
    return ""


def says_something(text: str) -> bool:
    """Whether a text has a letter or a digit, of any script; marks, symbols and invisible characters say nothing."""
    return any(map(str.isalnum, text))


def _continues(char: str) -> bool:
    """Whether a word goes on with this: a letter, a digit or a mark."""
    return unicodedata.category(char)[0] in "LNM"


def caseless(text: str) -> str:
    """A text without case and Unicode's forms of a letter, by which texts count as the same (NFKC, case folding)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def alphabetical(text: str) -> tuple[str, str]:
    """The key by which names are sorted: without case and accents, which come in only where all else is the same.

    By itself Python sorts "Élan" after "Zebra"; databases sort by a setting of theirs, if at all.
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in letters if not unicodedata.combining(char)), text


def plain_words(text: str) -> str:
    """The caseless words of a text, apart by blanks: how short texts are compared."""
    folded = caseless(text)
    return " ".join(word.text_in(folded) for word in words(folded))


def length_of(text: str) -> Length:
    """How long people would say that a text is."""
    letters = sum(map(str.isalpha, text))
    if 2 * len(_NO_SPACES.findall(text)) > letters:
        extra = sum(cluster.end - cluster.start - 1 for cluster in boundaries(text).clusters)
        return Length(sum(unicodedata.category(char)[0] in "LNMS" for char in text) - extra, in_characters=True)
    return Length(sum(1 for _word in words(text)), in_characters=False)


DIGITS = "".join(char for char in map(chr, range(33, 127)) if char not in "\"&'<>\\`~")
"""Those of the codes, which need no escape in an attribute; MORE stands for `len(DIGITS)`, to be added."""
MORE = "~"


def _coded(ranges: Iterable[Span]) -> str:
    written, end = [], 0
    for start, after in ranges:
        for number in (start - end, after - start):
            more, last = divmod(number, len(DIGITS))
            written.append(MORE * more + DIGITS[last])
        end = after
    return "".join(written)


def _is_inside(starts: array[int], ends: array[int], at: int) -> bool:
    """Whether one of these ranges begins before and ends after that offset."""
    place = bisect_left(starts, at) - 1
    return place >= 0 and at < ends[place]


def _points_of_units(text: str) -> array[int]:
    """The code point at each UTF-16 unit of a text, and the number of code points at its end."""
    points = array("I")
    for point, char in enumerate(text):
        points.append(point)
        if char > "\uffff":
            points.append(point)
    points.append(len(text))
    return points
