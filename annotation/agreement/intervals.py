"""95 % intervals of figures by a percentile bootstrap that draws clusters: items with all that is under them (pure).

A figure is a function of sums over clusters: precision is the sum of what is correct over the sum of what was
predicted. So each cluster is a row of its sums, and a draw adds up as many rows as there are, drawn with replacement.
Everything in a cluster is drawn together, since answers about the same thing are not independent. All figures share the
draws.

Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3; Field and Welsh, Bootstrapping clustered
data (2007).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import floor
from operator import mul
from random import Random
from typing import NamedTuple

DRAWS = 1000
WITHIN = 0.95
"""The share of the draws inside an interval, whose tails are equal."""

Row = tuple[float, ...]
"""The sums of one cluster; all rows have the same columns."""
OfTotals = Callable[[Sequence[float]], float | None]
"""A figure computed from the column totals; None if they have nothing to measure."""


class Interval(NamedTuple):
    """A figure of all clusters, and the ends of its interval, None with fewer than two clusters."""

    value: float
    low: float | None = None
    high: float | None = None


def ratio(above: int, below: int) -> OfTotals:
    """One column's total over another's."""
    return lambda totals: totals[above] / totals[below] if totals[below] else None


def f1(correct: int, predicted: int, gold: int) -> OfTotals:
    """The harmonic mean of correct over predicted and correct over gold."""

    def of_totals(totals: Sequence[float]) -> float | None:
        both = totals[predicted] + totals[gold]
        return 2 * totals[correct] / both if both else None

    return of_totals


def intervals(
    rows: Sequence[Row], figures: Mapping[str, OfTotals], *, seed: str, draws: int = DRAWS
) -> dict[str, Interval]:
    """Each figure that has something to measure, with its interval; the same rows and seed give the same ones."""
    columns, places = _distinct(rows)
    totals = _add(columns, Counter(places))
    measured = {key: value for key, figure in figures.items() if rows and (value := figure(totals)) is not None}
    if len(rows) < 2:
        return {key: Interval(value) for key, value in measured.items()}
    found: dict[str, list[float]] = {key: [] for key in measured}
    rng = Random(seed)
    for _ in range(draws):
        drawn = _add(columns, Counter(rng.choices(places, k=len(places))))
        for key, values in found.items():
            value = figures[key](drawn)
            if value is not None:
                values.append(value)
    return {key: Interval(measured[key], *ends(values)) for key, values in found.items()}


def _distinct(rows: Sequence[Row]) -> tuple[list[Row], list[int]]:
    """The columns of the distinct rows, and the place of each row among them: of thousands few differ."""
    place_of: dict[Row, int] = {}
    places = [place_of.setdefault(row, len(place_of)) for row in rows]
    return list(zip(*place_of, strict=True)), places


def _add(columns: Sequence[Row], drawn: Mapping[int, int]) -> list[float]:
    """The column totals, with each distinct row as often as it was drawn."""
    times = drawn.values()
    return [sum(map(mul, map(column.__getitem__, drawn), times)) for column in columns]


def ends(values: Iterable[float]) -> tuple[float, float]:
    """The ends of the middle 95 %, interpolated between neighbours."""
    ordered = sorted(values)
    tail = (1 - WITHIN) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
