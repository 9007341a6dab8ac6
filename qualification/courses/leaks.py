"""Whether an item has become known: since which day more answers to it are right than before.

Each day on which answers came is tried as the beginning. Of a day's answers against those before it, the exact chance
of so many right ones or more is taken, had the same answers come in any order (R. A. Fisher, The Design of Experiments,
1935). A day is believed only where this is at most ALARM divided by the days tried (Bonferroni): of items that nobody
passes on, at most ALARM of them are called leaked, however their answers are spread over days.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

ALARM = 0.001
"""The share of items called leaked at most where nothing changed."""
FEWEST = 20
"""Answers that there have to be before a day, and from it on."""
LEAST = Fraction(1, 10)
"""By how much the share right has to grow: with thousands of answers, less than that would be found as well."""


@dataclass(frozen=True)
class Jump:
    """The day since when more answers are right, and the shares right before it and since, from 0 to 1."""

    since: date
    before: float
    after: float


def jump_of(answers: Iterable[tuple[date, bool]]) -> Jump | None:
    """The day that divides (day, right) best, if it is too clear for chance; None if there is no such day."""
    tried = list(_splits(answers))
    likely = [(chance_of_jump(*counts), day, counts) for day, counts in tried]
    found = [each for each in likely if each[0] * len(tried) <= ALARM and _grew(*each[2]) >= LEAST]
    if not found:
        return None
    _p, day, (earlier, right_earlier, later, right_later) = min(found)
    return Jump(day, right_earlier / earlier, right_later / later)


def _splits(answers: Iterable[tuple[date, bool]]) -> Iterator[tuple[date, tuple[int, int, int, int]]]:
    """Each day to try, with (answers before, right ones of them, answers since, right ones of them)."""
    rows = sorted(answers, key=itemgetter(0))
    total, right = len(rows), sum(yes for _day, yes in rows)
    earlier = right_earlier = 0
    for day, group in groupby(rows, key=itemgetter(0)):
        if earlier >= FEWEST and total - earlier >= FEWEST:
            yield day, (earlier, right_earlier, total - earlier, right - right_earlier)
        said = [yes for _day, yes in group]
        earlier, right_earlier = earlier + len(said), right_earlier + sum(said)


def _grew(earlier: int, right_earlier: int, later: int, right_later: int) -> Fraction:
    return Fraction(right_later, later) - Fraction(right_earlier, earlier)


def chance_of_jump(earlier: int, right_earlier: int, later: int, right_later: int) -> float:
    """That `right_later` or more of the right answers lie among the later ones, were their order left to chance.

    The upper tail of the hypergeometric distribution, summed from its first term by the ratio of neighbours.
    """
    right = right_earlier + right_later
    term = math.exp(
        _log_comb(later, right_later) + _log_comb(earlier, right_earlier) - _log_comb(earlier + later, right)
    )
    tail = 0.0
    for x in range(right_later, min(later, right) + 1):
        tail += term
        term *= (later - x) * (right - x) / ((x + 1) * (earlier - right + x + 1))
    return tail


def _log_comb(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
