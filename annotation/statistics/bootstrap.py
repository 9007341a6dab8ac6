"""A 95 % interval of a statistic: the BCa bootstrap, clustered on items (pure).

Values of one item depend on each other, so whole items are drawn, with replacement and as many as there are; the
statistic of each draw is computed. Since a statistic is a function of sums over items, a draw is a row of counts, and
all draws are one product of matrices. Of thousands of items whose sums are often the same, a draw is how often each
distinct row of sums comes: a multinomial.

The interval ends at two percentiles of the draws. Those of the plain percentile bootstrap, 2.5 and 97.5, miss far too
often where a class is rare: its draws lean to one side. BCa (Efron 1987) shifts them by the share of the draws below
the statistic (z0, its bias) and by the skewness of what each item does to it (a, the acceleration, from the jackknife):

    Phi(z0 + (z0 + z) / (1 - a (z0 + z))),  z = -t and t

What an item does is what the statistic is without it. Items that differ in that from the rest are counted: whose
distance from the median is more than a tenth of the greatest. With fewer than ENOUGH of them there is no interval. With
m of them, t is Student's quantile for m - 1 degrees of freedom times the root of m / (m - 1), 2.38 for 10 and 1.96 in
the end: draws of few items vary less than new data would (Hesterberg 2015, expanded percentiles).

For agreement, whose rows of sums are long, more than GROUPS items are put at random into GROUPS groups of equal size
(`groups_of`), which are drawn as wholes: groups of independent items are independent, too, and the interval has the
same width on average.

B. Efron, Better bootstrap confidence intervals, Journal of the American Statistical Association 82 (1987), 171-185.
B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 14. C. Field and A. Welsh,
Bootstrapping clustered data, Journal of the Royal Statistical Society B 69 (2007), 369-390. T. Hesterberg, What
teachers should know about the bootstrap, The American Statistician 69 (2015), 371-386.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import floor, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from annotation.statistics import intervals
from annotation.statistics.estimates import ENOUGH, Estimate
from annotation.statistics.ratings import Array, Statistic

DRAWS = 1000
GROUPS = 500
"""Up to so many clusters are drawn by a matrix of counts, which is kept; of more, distinct rows are drawn."""
SEED = 16
UNDEFINED = 0.05
"""If the statistic is undefined in more of the draws, it has no interval."""
APART = 0.1
"""A cluster differs that is further from the median than this share of the greatest distance."""
EXACTNESS = 1e-12
"""Values that differ by less are equal but for rounding."""
NORMAL = NormalDist()


def estimate(
    statistic: Statistic, *, draws: int = DRAWS, seed: int | str = SEED, within: float = intervals.WITHIN
) -> Estimate:
    """The statistic with its interval, if it has one."""
    point = statistic.point
    if not statistic.n or np.isnan(point):
        return Estimate(None, None, None, statistic.n)
    used = statistic.columns[statistic.columns.any(axis=1)]
    return with_interval(
        point,
        statistic.n,
        statistic.value(left_out(used)),
        lambda: statistic.value(drawn(used, draws=draws, seed=seed)),
        within=within,
    )


def with_interval(
    point: float, n: int, without: Array, draw: Callable[[], Array], *, within: float = intervals.WITHIN
) -> Estimate:
    """A statistic of n clusters with its interval, if it has one, by its values without each cluster and in draws."""
    differing, low, high = n_differing(without), None, None
    if differing >= ENOUGH:
        low, high = ends(point, draw(), without, z=expanded(within, differing))
    return Estimate(point, low, high, n, differing)


def expanded(within: float, m: int) -> float:
    """How many standard errors an interval reaches that rests on m clusters: Student's quantile, for draws' lack of
    spread."""
    return intervals.quantile(m - 1, within) * sqrt(m / (m - 1))


def drawn(columns: Array, *, draws: int = DRAWS, seed: int | str = SEED) -> Array:
    """The sums of the columns in each draw of clusters: an array of draws x columns."""
    n = len(columns)
    if n <= GROUPS:
        return counts(n, draws, seed) @ columns
    distinct, times = np.unique(columns, axis=0, return_counts=True)
    rng = _generator(seed)
    return np.array([rng.multinomial(n, times / n) @ distinct for _ in range(draws)])


def left_out(columns: Array) -> Array:
    """The sums of the columns without each cluster: an array of clusters x columns."""
    found: Array = columns.sum(axis=0) - columns
    return found


def n_differing(without: Array) -> int:
    """How many clusters differ from the rest, by the values of a statistic without each of them.

    Where it is undefined without some of them it depends on these alone.
    """
    undefined = np.isnan(without)
    if undefined.any():
        return 0 if undefined.all() else int(undefined.sum())
    median = np.partition(without, (len(without) - 1) // 2)[(len(without) - 1) // 2]
    distance = np.abs(without - median)
    return int((distance > max(APART * distance.max(), EXACTNESS)).sum())


def ends(point: float, draws: Array, without: Array, *, z: float) -> tuple[float, float] | tuple[None, None]:
    """The ends of the interval of a statistic with these values in the draws, and without each cluster.

    `z`: how many standard errors it reaches. None if the statistic is undefined in too many draws or without one
    cluster, or if all draws are on one side of it.
    """
    defined = np.sort(draws[~np.isnan(draws)])
    if len(defined) < (1 - UNDEFINED) * len(draws) or np.isnan(without).any():
        return None, None
    below = np.searchsorted(defined, point - EXACTNESS, "left") + np.searchsorted(defined, point + EXACTNESS, "right")
    share = float(below) / 2 / len(defined)
    if not 0 < share < 1:
        return None, None
    bias, away = NORMAL.inv_cdf(share), without.mean() - without
    acceleration = float((away**3).sum() / (6 * (away**2).sum() ** 1.5))
    places = []
    for away_from in (bias - z, bias + z):
        slope = 1 - acceleration * away_from
        if slope <= 0:
            return None, None
        places.append(NORMAL.cdf(bias + away_from / slope))
    low, high = (quantile(defined, place) for place in places)
    return (low, high) if low < point < high else (None, None)


def quantile(ordered: Array, share: float) -> float:
    """Interpolated between neighbours, like numpy's percentile, which takes longer for so few numbers."""
    place = (len(ordered) - 1) * share
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (place - below) * (ordered[above] - ordered[below]))


def _generator(seed: int | str) -> np.random.Generator:
    return np.random.default_rng(list(seed.encode()) if isinstance(seed, str) else seed)


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


def cluster_places(clusters: Sequence[Any] | Array) -> tuple[Array, int]:
    """The place of each value's cluster, to sum by, and how many clusters there are: (places, clusters).

    `clusters`: for each value, a name or number of its cluster, such as its item. Places are from 0; clusters
    beyond GROUPS are put into so many groups (`groups_of`), in their order.
    """
    found, place = np.unique(clusters if isinstance(clusters, np.ndarray) else list(clusters), return_inverse=True)
    groups: Array = groups_of(np.arange(len(found)))
    return groups[place.ravel()] if len(found) else np.zeros(0, dtype=np.int64), len(found)
