"""95 % intervals of ratios by a percentile bootstrap that draws clusters: items with all that is under them (pure).

A figure is a function of sums over clusters: precision is the sum of what is correct over the sum of what was
predicted. So each cluster is a row of its sums, and a draw adds up as many rows as there are, drawn with replacement.
Everything in a cluster is drawn together, since answers about the same thing are not independent. All figures share the
draws. Of thousands of rows few differ, so a draw is how often each distinct row comes: a multinomial.

Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3; Field and Welsh, Bootstrapping clustered
data (2007).

numpy is imported by the functions: protocols import this module, and the site starts without numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DRAWS = 1000
TAILS = (2.5, 97.5)
"""The percentiles at which an interval ends."""

Row = tuple[float, ...]
"""The sums of one cluster; all rows have the same columns."""
OfTotals = Callable[["Array"], "Array"]
"""A figure computed from the column totals, of one draw or of many; NaN where there is nothing to measure."""


class Interval(NamedTuple):
    """A figure of all clusters, and the ends of its interval, None with fewer than two clusters."""

    value: float
    low: float | None = None
    high: float | None = None


def ratio(above: int, below: int) -> OfTotals:
    """One column's total over another's."""
    return lambda totals: share(totals[above], totals[below])


def f1(correct: int, predicted: int, gold: int) -> OfTotals:
    """The harmonic mean of correct over predicted and correct over gold."""
    return lambda totals: share(2 * totals[correct], totals[predicted] + totals[gold])


def share(part: Array, whole: Array) -> Array:
    """A quotient, NaN where the whole is 0."""
    import numpy as np

    return np.where(whole > 0, part / np.where(whole > 0, whole, 1), np.nan)


def totals_of(rows: Sequence[Row]) -> Array:
    """The sum of each column."""
    import numpy as np

    return np.array(rows, dtype=np.float64).sum(axis=0)


def intervals(
    rows: Sequence[Row], figures: Mapping[str, OfTotals], *, seed: str, draws: int = DRAWS
) -> dict[str, Interval]:
    """Each figure that has something to measure, with its interval; the same rows and seed give the same ones."""
    import numpy as np

    if not rows:
        return {}
    totals = totals_of(rows)
    every = {key: float(figure(totals)) for key, figure in figures.items()}
    measured = {key: value for key, value in every.items() if not isnan(value)}
    if len(rows) < 2:
        return {key: Interval(value) for key, value in measured.items()}
    drawn = _drawn(rows, seed=seed, draws=draws)
    found: dict[str, Interval] = {}
    for key, value in measured.items():
        low, high = np.nanpercentile(figures[key](drawn), TAILS)
        found[key] = Interval(value, float(low), float(high))
    return found


def _drawn(rows: Sequence[Row], *, seed: str, draws: int) -> Array:
    """The column totals of each draw: columns x draws."""
    import numpy as np

    distinct, times = np.unique(np.array(rows, dtype=np.float64), axis=0, return_counts=True)
    rng = np.random.default_rng(list(seed.encode()))
    return np.array([rng.multinomial(len(rows), times / len(rows)) @ distinct for _ in range(draws)]).T
