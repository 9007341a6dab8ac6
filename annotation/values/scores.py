"""What an answer is worth against references: exact points for each part of it, and the words to show beside (pure)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from annotation.i18n import _
from annotation.values.records import Step

LONGEST_QUOTE = 160
"""Code points of a text that a page of marks quotes."""
FINEST = 1_000_000
"""The largest denominator that a similarity is read with, so that 0.7 is 7/10 and 2 / 3 is 2/3."""


class Part(NamedTuple):
    """What is scored of an answer; `key` is unique within its activity, `title` is marked for translation."""

    key: str
    title: Any


class Wording(NamedTuple):
    """A short text for people: `quoted` from the material or from an answer, or else ours, marked for translation.

    Without a text, nothing was said.
    """

    text: Any = ""
    quoted: bool = False

    def __str__(self) -> str:
        return str(self.text)


NOTHING = Wording()
WHOLE = Part("whole", _("The whole answer"))
"""The only part where a protocol does not tell several apart."""


@dataclass(frozen=True)
class Score:
    """The points, 0 to 1, for one part of an answer at one step; what was said there, and what the reference says."""

    step: Step
    part: Part
    points: Fraction
    said: Wording = NOTHING
    wanted: Wording = NOTHING


Scores = tuple[Score, ...]


def best_scores(by_reference: Iterable[Scores]) -> Scores:
    """The scores against the reference that gives the most points, the first of equal ones; none without references."""
    return max(by_reference, key=lambda scores: sum(score.points for score in scores), default=())


def points_of_similarity(similarity: float) -> Fraction:
    """A similarity as the fraction that it was computed from, if that has a denominator of at most a million."""
    return Fraction(similarity).limit_denominator(FINEST)


def quotation(*texts: str) -> Wording:
    """The beginning of these texts, in one line; NOTHING if they have no words."""
    line = " … ".join(filter(None, (" ".join(text.split()) for text in texts)))
    short = line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1].rstrip() + "…"
    return Wording(short, quoted=True) if short else NOTHING
