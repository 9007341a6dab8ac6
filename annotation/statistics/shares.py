"""A share of independent trials with its 95 % interval, by Wilson's formula (pure).

E. B. Wilson, Probable inference, Journal of the American Statistical Association 22 (1927), 209-212. Brown, Cai and
DasGupta, Interval estimation for a binomial proportion (2001), recommend it for small numbers.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

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
