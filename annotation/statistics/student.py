"""Quantiles of Student's t: how many standard errors the 95 % interval of a mean of few values reaches (pure)."""

from __future__ import annotations

from statistics import NormalDist

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
    return z + sum(term / df**power for power, term in enumerate(terms, start=1))
