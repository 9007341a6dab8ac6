"""Spans of plain text, and a sentence splitter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int

    def text_in(self, text: str) -> str:
        """The text of the range, verbatim."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph: its section, its index there (both from 0), and the spans of its sentences in order."""

    section: int
    paragraph: int
    sentences: tuple[Span, ...]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER_LAST = _words(
    "fig figs eq eqs eqn eqns sec secs sect tabs refs nos nr vol pp chap appx thm lem alg algo dr mr mrs ms prof st "
    "rev e.g eg i.e ie cf viz vs resp approx ca w.r.t wrt s.t a.k.a aka dept univ ed eds incl excl"
)
"""Abbreviations (lower case, without the last full stop) that never end a sentence."""

_SELDOM_LAST = _words(
    "al inc ltd co corp jr sr etc ph.d phd m.sc b.sc i.i.d u.s u.k e.u a.m p.m no p ch app def prop cor ex gen "
    "est avg max min std tab ref jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Abbreviations that end a sentence only if the next word is one of _STARTERS."""

_EXCLAIMED = _words("yahoo jeopardy")
"""Names that are written with an exclamation mark."""

_STARTERS = _words(
    "a additionally after again all also although an and another any apart as at based because before besides both but "
    "by consequently each even every few finally first firstly following for from furthermore given hence here how "
    "however i if in indeed instead it its last lastly like many more moreover most next no nevertheless none note "
    "now of on one only other others our overall secondly several she he similarly since so some specifically such "
    "table tables figure figures section taken than that the their then there therefore these they this those though "
    "three through thus to two under unlike unfortunately using we what when where whereas whether which while who "
    "with without you"
)
"""Words that begin sentences; capitalised, they hardly ever follow an abbreviation or an initial within one."""

_END = re.compile(
    r"""(?<![.!?…])(?P<stop>[.!?…]++)  # may end a sentence: the whole run, else leader dots take quadratic time
        (?P<glued>
            ['"”’»)\]}]*               # quotes and brackets that close with it
            (?:BIBREF\d+(?:,?\ ?BIBREF\d+)*     # citations and footnote numbers after the full stop
              |(?<=[a-z)].)\d{1,2}
            )?
        )(?P<gap>\s+)
      | (?P<wide>[。！？]+['"”’»)\]}」』]*)\s*
      | (?P<blank>\n[^\S\n]*\n\s*)
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"\S+")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]")
_OPENING = "([{“\"'‘«`*•"
_BREAKS = "([{“\"'‘,;:/"
_KEPT_WHOLE = re.compile(
    r"""(?<!\\)\$\$.{1,2000}?\$\$          # equations, displayed and inline
      | (?<!\\)\$(?=\S)[^$]{1,400}(?<=\S)\$(?!\d)
      | \((?:[^()]|\([^()]{0,400}\)){1,400}\)  # brackets, also with brackets in them
      | \[[^\[\]]{1,400}\]
      | “[^“”]{1,400}”                     # quotes
      | "(?=\S)[^"]{1,400}(?<=\S)"
      | ``.{1,400}?''
    """,
    re.VERBOSE | re.DOTALL,
)
"""No sentence ends inside these; beyond the lengths given, the delimiters are assumed not to be a pair."""


def sentences(text: str) -> tuple[Span, ...]:
    """Split a paragraph into sentences, in order, without the white space around them; nothing else is dropped.

    Handles abbreviations, initials, "et al.", decimals, numbered points, citations (BIBREF13), equations between
    dollar signs, brackets and quotes. When in doubt it does not split: evidence then has more context.
    """
    whole = _KEPT_WHOLE.finditer(text)
    first, last = _next(whole)
    found: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        end = match.start("gap") if match["stop"] else match.end("wide") if match["wide"] else match.start()
        while last is not None and last <= end:
            first, last = _next(whole)
        inside = first is not None and first < end
        if not inside and _ends_here(text, start, match):
            found += _trimmed(text, start, end)
            start = match.end()
    found += _trimmed(text, start, len(text))
    return tuple(found)


def _next(matches: Iterator[re.Match[str]]) -> tuple[int, int] | tuple[None, None]:
    match = next(matches, None)
    return match.span() if match else (None, None)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without white space at its ends; nothing for a span of white space only."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Span(start, end)


def _ends_here(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a sentence that began at `start` ends at the match, judging by the words before and after it."""
    if not match["stop"] or match["gap"].count("\n") > 1:
        return True
    following = _WORD.match(text, match.end())
    if following is None:
        return True
    if not _may_begin(following[0]):
        return False
    before = _word_before(text, start, match.start())
    if not before and not any(character.isalnum() for character in text[start : match.start()]):
        return False  # a lone full stop
    starts = following[0].lstrip(_OPENING).rstrip(",.:;").lower() in _STARTERS
    word = before.lower()
    if match["stop"] != ".":
        return starts if word in _EXCLAIMED else True  # such as ? and …
    if word in _NEVER_LAST:
        return False
    if word.isdigit() and len(word) <= 2 and text[start : match.start()].strip() == word:
        return False  # "2. Then ...": a numbered point
    initial = len(before) == 1 and before.isupper()
    return starts if initial or word in _SELDOM_LAST or _DOTTED.fullmatch(word) else True


def _word_before(text: str, start: int, end: int) -> str:
    """The word right before `end`, with the full stops in it."""
    at = end
    while at > start and end - at < 40 and not text[at - 1].isspace() and text[at - 1] not in _BREAKS:
        at -= 1
    return text[at:end]


def _may_begin(word: str) -> bool:
    """Whether a sentence can begin with this word: of lower-case ones only names like mBERT and word2vec."""
    bare = word.lstrip(_OPENING)
    if not bare:
        return True
    if not bare[0].islower():
        return bare[0] not in ",;:.!?)]}"
    return word == bare and any(character.isupper() or character.isdigit() for character in bare[1:])
