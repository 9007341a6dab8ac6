"""The 95 % interval of a share of independent trials, after Wilson (pure).

Wilson, Probable inference, the law of succession, and statistical inference (1927); Brown, Cai and DasGupta, Interval
estimation for a binomial proportion (2001), recommend it for small numbers.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959964
"""The quantile of the normal distribution that leaves 2.5 % on each side."""


class Share(NamedTuple):
    """So many of `n` trials as a share, and the ends of its interval."""

    part: int
    n: int
    value: float
    low: float
    high: float


def share(part: int, n: int) -> Share | None:
    """`part` of `n`; None of nothing."""
    if n == 0:
        return None
    value = part / n
    middle = (value + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * sqrt(value * (1 - value) / n + Z**2 / (4 * n**2))
    # Exactly 0 and 1 at the ends, whatever the rounding.
    return Share(part, n, value, max(0.0, middle - half) if part else 0.0, min(1.0, middle + half) if part < n else 1.0)
