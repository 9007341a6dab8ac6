"""95 % intervals of ratios by the bootstrap, which draws clusters: items with all that is under them (pure).

A figure is a function of sums over clusters: precision is the sum of what is correct over the sum of what was
predicted. So each cluster is a row of its sums. Everything in a cluster is drawn together, since answers about the same
thing are not independent. All figures share the draws.

`bootstrap` and numpy are imported by the functions: protocols import this module, and the site starts without numpy.

A share of independent trials with its 95 % interval, by Wilson's formula (pure).

E. B. Wilson, Probable inference, Journal of the American Statistical Association 22 (1927), 209-212. Brown, Cai and
DasGupta, Interval estimation for a binomial proportion (2001), recommend it for small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from annotation.statistics.estimates import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DRAWS = 1000
Row = tuple[float, ...]
"""The sums of one cluster; all rows have the same columns."""
OfTotals = Callable[["Array"], "Array"]
"""A figure computed from the column totals, of one draw or of many; NaN where there is nothing to measure."""


def ratio_estimate(above: int, below: int) -> OfTotals:
    """One column's total over another's."""
    return lambda totals: quotient(totals[above], totals[below])


def f1_estimate(correct: int, predicted: int, gold: int) -> OfTotals:
    """The harmonic mean of correct over predicted and correct over gold."""
    return lambda totals: quotient(2 * totals[correct], totals[predicted] + totals[gold])


def quotient(part: Array, whole: Array) -> Array:
    """A quotient, NaN where the whole is 0."""
    import numpy as np

    return np.where(whole > 0, part / np.where(whole > 0, whole, 1), np.nan)


def totals_of(rows: Sequence[Row]) -> Array:
    """The sum of each column."""
    import numpy as np

    totals: Array = np.array(rows, dtype=np.float64).sum(axis=0)
    return totals


def intervals(
    rows: Sequence[Row], figures: Mapping[str, OfTotals], *, seed: str, draws: int = DRAWS
) -> dict[str, Estimate]:
    """Each figure that has something to measure, with its interval; the same rows and seed give the same ones."""
    import numpy as np

    from annotation.statistics import bootstrap

    if not rows:
        return {}
    columns = np.array(rows, dtype=np.float64)
    totals, without = columns.sum(axis=0), bootstrap.left_out(columns).T
    drawn = bootstrap.drawn(columns, draws=draws, seed=seed).T
    every = {key: (figure, float(figure(totals))) for key, figure in figures.items()}
    return {
        key: bootstrap.with_interval(value, len(rows), figure(without), partial(figure, drawn))
        for key, (figure, value) in every.items()
        if not isnan(value)
    }


WITHIN = 0.95
"""The cover that an interval should have."""
_NORMAL = NormalDist()


def quantile(df: int, within: float = WITHIN) -> float:
    """The quantile at (1 + within) / 2 for `df` degrees of freedom, 3 or more, to 0.2 % at 3 and better beyond.

    M. Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
    """
    z = _NORMAL.inv_cdf((1 + within) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / df**power for power, term in enumerate(terms, start=1)))


Z = 1.959963984540054
"""The normal quantile of a 95 % interval."""


class Share(NamedTuple):
    """A share of `n`, and the ends of its interval."""

    value: float
    low: float
    high: float
    n: int

    @property
    def part(self) -> int:
        """How many of `n` it is."""
        return round(self.value * self.n)


def wilson(part: float, n: int) -> Share:
    """`part` of `n` as a share; 0, and [0, 1], of nothing."""
    if not n:
        return Share(0.0, 0.0, 1.0, 0)
    share, z2 = part / n, Z * Z
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    # Exactly 0 and 1 at the ends, whatever the rounding.
    low, high = max(0.0, centre - half) if part else 0.0, min(1.0, centre + half) if part < n else 1.0
    return Share(share, low, high, n)
