"""Plain text: half-open spans in code points, blocks and their sentences, and the UTF-16 units of browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words of the range, verbatim."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph: its section and its place there (from 0), and the spans of its sentences in order."""

    section: int
    paragraph: int
    sentences: tuple[Span, ...]


def to_utf16(text: str, offset: int) -> int:
    """UTF-16 units before a code point; ValueError outside the text."""
    if not 0 <= offset <= len(text):
        raise ValueError("The offset lies outside the text.")
    return offset + sum(character > "\uffff" for character in text[:offset])


def from_utf16(text: str, units: int) -> int:
    """Code points before a UTF-16 unit; ValueError outside the text and between the halves of a surrogate pair."""
    seen = 0
    for offset, character in enumerate(text):
        if seen == units:
            return offset
        seen += 2 if character > "\uffff" else 1
    if seen == units:
        return len(text)
    raise ValueError("The offset lies outside the text or inside a character.")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER_LAST = _words(
    "fig figs eq eqs eqn eqns sec secs sect tabs refs nos nr vol pp chap appx thm lem alg algo dr mr mrs ms prof st "
    "rev e.g eg i.e ie cf viz vs resp approx ca w.r.t wrt s.t a.k.a aka dept univ ed eds incl excl"
)
"""Abbreviations (lower case, without the last full stop) after which a sentence goes on."""

_SELDOM_LAST = _words(
    "al inc ltd co corp jr sr etc ph.d phd m.sc b.sc i.i.d u.s u.k e.u a.m p.m no p ch app def prop cor ex gen "
    "est avg max min std tab ref jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Abbreviations after which a sentence ends only where the next word begins one."""

_EXCLAIMED = _words("yahoo jeopardy")
"""Names that are written with a mark after them."""

_STARTERS = _words(
    "a additionally after again all also although an and another any apart as at based because before besides both but "
    "by consequently each even every few finally first firstly following for from furthermore given hence here how "
    "however i if in indeed instead it its last lastly like many more moreover most next no nevertheless none note "
    "now of on one only other others our overall secondly several she he similarly since so some specifically such "
    "table tables figure figures section taken than that the their then there therefore these they this those though "
    "three through thus to two under unlike unfortunately using we what when where whereas whether which while who "
    "with without you"
)
"""Words that begin sentences and hardly ever stand, with a capital, after an abbreviation or an initial."""

_END = re.compile(
    r"""(?<![.!?…])(?P<stop>[.!?…]++)  # what may end a sentence: the whole run, or leader dots take for ever
        (?P<glued>
            ['"”’»)\]}]*               # quotes and brackets that close with it
            (?:BIBREF\d+(?:,?\ ?BIBREF\d+)*     # citations and numbers of footnotes that were set behind it
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
    r"""(?<!\\)\$\$.{1,2000}?\$\$          # equations, displayed and in the line
      | (?<!\\)\$(?=\S)[^$]{1,400}(?<=\S)\$(?!\d)
      | \((?:[^()]|\([^()]{0,400}\)){1,400}\)  # brackets, also with brackets in them
      | \[[^\[\]]{1,400}\]
      | “[^“”]{1,400}”                     # quotes
      | "(?=\S)[^"]{1,400}(?<=\S)"
      | ``.{1,400}?''
    """,
    re.VERBOSE | re.DOTALL,
)
"""Within these no sentence ends; where they are longer than that they are hardly meant as one."""


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a paragraph in order, without the white space around them; nothing else is left out.

    Copes with abbreviations, initials, "et al.", decimals, numbered points, citations (BIBREF13), equations between
    dollars, brackets and quotes. Where it can't know it goes on: whoever picks evidence then gets more context.
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
    """The span without white space at its ends; none where it is nothing else."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Span(start, end)


def _ends_here(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a sentence that began at `start` ends at the match, seen from what stands on both sides of it."""
    if not match["stop"] or match["gap"].count("\n") > 1:
        return True
    following = _WORD.match(text, match.end())
    if following is None:
        return True
    if not _may_begin(following[0]):
        return False
    before = _word_before(text, start, match.start())
    if not before and not any(character.isalnum() for character in text[start : match.start()]):
        return False  # nothing was said yet: a lone full stop
    starts = following[0].lstrip(_OPENING).rstrip(",.:;").lower() in _STARTERS
    word = before.lower()
    if match["stop"] != ".":
        return starts if word in _EXCLAIMED else True  # such as ? and …
    if word in _NEVER_LAST:
        return False
    if word.isdigit() and len(word) <= 2 and text[start : match.start()].strip() == word:
        return False  # "2. Then ...": the number of a point
    initial = len(before) == 1 and before.isupper()
    return starts if initial or word in _SELDOM_LAST or _DOTTED.fullmatch(word) else True


def _word_before(text: str, start: int, end: int) -> str:
    """The word that stands right before `end`, with the full stops in it."""
    at = end
    while at > start and end - at < 40 and not text[at - 1].isspace() and text[at - 1] not in _BREAKS:
        at -= 1
    return text[at:end]


def _may_begin(word: str) -> bool:
    """Whether a sentence can begin with this: in lower case only names like mBERT and word2vec do."""
    bare = word.lstrip(_OPENING)
    if not bare:
        return True
    if not bare[0].islower():
        return bare[0] not in ",;:.!?)]}"
    return word == bare and any(character.isupper() or character.isdigit() for character in bare[1:])
