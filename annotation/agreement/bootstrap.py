"""A 95 % interval of a statistic: the percentile bootstrap, clustered on items (pure).

Values of one item depend on each other, so whole items are drawn, with replacement and as many as there are; the
statistic of each draw is computed, and the interval ends at the 2.5th and 97.5th percentile of the draws. Since a
statistic is a function of sums over items, a draw is a row of counts, and all draws are one product of matrices. Of
thousands of items whose sums are often the same, a draw is how often each distinct row of sums comes: a multinomial.

For agreement, whose rows of sums are long, more than GROUPS items are put at random into GROUPS groups of equal size
(`groups_of`), which are drawn as wholes: groups of independent items are independent, too, and the interval has the
same width on average.

B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13. C. Field and A. Welsh, Bootstrapping
clustered data, Journal of the Royal Statistical Society B 69 (2007), 369-390.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor
from typing import NamedTuple

import numpy as np

from annotation.agreement.ratings import Array, Statistic

DRAWS = 1000
GROUPS = 500
"""Up to so many clusters are drawn by a matrix of counts, which is kept; of more, distinct rows are drawn."""
SEED = 16
WITHIN = 0.95
"""The share of the draws that lie in the interval."""


class Estimate(NamedTuple):
    """A statistic, the ends of its interval (None where they are undefined), and the items that it is about."""

    value: float | None
    low: float | None
    high: float | None
    n: int


def estimate(statistic: Statistic, *, draws: int = DRAWS, seed: int = SEED) -> Estimate:
    """The statistic with its interval. It has none with fewer than two clusters, or if most draws are undefined."""
    point = statistic.point
    if not statistic.n or np.isnan(point):
        return Estimate(None, None, None, statistic.n)
    used = statistic.columns[statistic.columns.any(axis=1)]
    if len(used) < 2:
        return Estimate(point, None, None, statistic.n)
    return Estimate(point, *ends(statistic.value(drawn(used, draws=draws, seed=seed))), statistic.n)


def drawn(columns: Array, *, draws: int = DRAWS, seed: int | str = SEED) -> Array:
    """The sums of the columns in each draw of clusters: an array of draws x columns."""
    n = len(columns)
    if n <= GROUPS:
        return counts(n, draws, seed) @ columns
    distinct, times = np.unique(columns, axis=0, return_counts=True)
    rng = _generator(seed)
    return np.array([rng.multinomial(n, times / n) @ distinct for _ in range(draws)])


def ends(found: Array) -> tuple[float | None, float | None]:
    """The ends of the interval of a statistic with these values in the draws; None if it is undefined in most."""
    defined = np.sort(found[~np.isnan(found)])
    if len(defined) <= len(found) / 2:
        return None, None
    tail = (1 - WITHIN) / 2
    return _quantile(defined, tail), _quantile(defined, 1 - tail)


def _generator(seed: int | str) -> np.random.Generator:
    return np.random.default_rng(list(seed.encode()) if isinstance(seed, str) else seed)


def _quantile(ordered: Array, share: float) -> float:
    """Interpolated between neighbours, like numpy's percentile, which takes longer for so few numbers."""
    place = (len(ordered) - 1) * share
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))


@lru_cache(maxsize=3)
def counts(n: int, draws: int, seed: int | str) -> Array:
    """How often each of n clusters is in each draw: an array of draws x n."""
    chosen = _generator(seed).integers(0, n, size=(draws, n))
    chosen += np.arange(draws)[:, None] * n
    return np.bincount(chosen.ravel(), minlength=draws * n).reshape(draws, n).astype(float)


def groups_of(keys: Array, *, groups: int = GROUPS, seed: int = SEED) -> Array:
    """The cluster of each item: its own, or beyond `groups` items one of so many random groups of equal size.

    `keys` are numbers that stay with the items, so that the same items always come into the same groups.
    """
    n = len(keys)
    if n <= groups:
        return np.arange(n)
    places = np.empty(n, dtype=np.int64)
    places[np.argsort(keys, kind="stable")] = np.random.default_rng(seed).permutation(n)
    return places % groups
