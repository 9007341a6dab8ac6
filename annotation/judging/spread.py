"""How far the first marks of an exhibit lie apart: a meeting begins with those that differ most (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from annotation.judging.rubrics import Rubric


class Spread(NamedTuple):
    """The largest distance of two marks, and the mean of all pairs; both are 0 where all agree.

    A distance is that of the places in an ordinal rubric; in others it is 1 for any two marks.
    """

    largest: float
    mean: float


def spread_of(rubric: Rubric, marks: Sequence[str]) -> Spread:
    """The spread of these marks of one exhibit."""
    places = {mark.key: place for place, mark in enumerate(rubric.marks)}
    apart = [abs(places[one] - places[other]) for one, other in combinations(marks, 2)]
    if not rubric.ordinal:
        apart = [min(each, 1) for each in apart]
    return Spread(max(apart, default=0), sum(apart) / len(apart) if apart else 0)
