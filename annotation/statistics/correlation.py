"""Pearson's correlation of two values, such as the scores of two raters, or a score and a metric (pure).

    r = (n sum xy - sum x sum y) / root of ((n sum xx - (sum x)^2) (n sum yy - (sum y)^2))

It is a function of six sums, so the bootstrap draws clusters: the answers to one item are judged alike. Values are
centred and scaled first: else the differences of large sums lose digits. It is undefined (NaN) if either value is the
same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from annotation.statistics.bootstrap import cluster_places
from annotation.statistics.ratings import Array, Ratings, Statistic, clustered, mean_of_defined, quotient_or_nan

EXACTNESS = 1e-12
"""A spread that is smaller, as a share of the sum of squares, is none but for rounding."""
SQUARES_AND_PRODUCT = ((0, 0), (1, 1), (0, 1))


def pearson(
    first: Sequence[float] | Array, second: Sequence[float] | Array, clusters: Sequence[Any] | Array
) -> Statistic:
    """The correlation of two values of the same answers; n counts clusters. Of some answers: give those alone."""
    places, n = cluster_places(clusters)
    x, y = centred(first), centred(second)
    return Statistic(_sums(places, [x, y], SQUARES_AND_PRODUCT), lambda sums: _r(sums, 1, 2, 3, 4, 5), n)


def pearson_of_raters(ratings: Ratings) -> Statistic:
    """The correlation of two raters' scores, which are the categories; of more, the mean over pairs that share
    exhibits, without a pair of which it is undefined."""
    scores = centred(np.array(ratings.categories, dtype=float)[ratings.code]) if len(ratings.code) else np.zeros(0)
    first, second = ratings.pairs_by_person
    cluster, n = ratings.clusters[ratings.item[first]], ratings.n_clusters
    blocks = [
        _sums(cluster[rows], [scores[first[rows]], scores[second[rows]]], SQUARES_AND_PRODUCT, n)
        for rows in (ratings.people_of_pairs == pair for pair in np.unique(ratings.people_of_pairs))
    ]

    def value(sums: Array) -> Array:
        return mean_of_defined(_r(sums.reshape(*sums.shape[:-1], -1, 6), 1, 2, 3, 4, 5))

    return Statistic(np.concatenate(blocks, axis=1) if blocks else np.zeros((n, 0)), value, ratings.n_of_pairs)


def pearson_difference(
    human: Sequence[float] | Array,
    one: Sequence[float] | Array,
    other: Sequence[float] | Array,
    clusters: Sequence[Any] | Array,
) -> Statistic:
    """How much more the one correlates with people's scores than the other, on the same answers."""
    places, n = cluster_places(clusters)
    values = [centred(each) for each in (human, one, other)]
    columns = _sums(places, values, [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2)])

    def value(sums: Array) -> Array:
        return _r(sums, 1, 2, 4, 5, 7) - _r(sums, 1, 3, 4, 6, 8)

    return Statistic(columns, value, n)


def centred(values: Sequence[float] | Array) -> Array:
    """Values less their mean, and divided by the greatest of them, which changes no correlation."""
    found = np.asarray(values, dtype=float)
    if not len(found) or found.min() == found.max():
        return np.zeros(len(found))
    away: Array = found - found.mean()
    scaled: Array = away / np.abs(away).max()
    return scaled


def spread_or_nan(n: Array, total: Array, squares: Array) -> Array:
    """n sum xx - (sum x)^2; NaN where all values are the same but for rounding."""
    found = n * squares - total**2
    return np.where(found > EXACTNESS * n * squares, found, np.nan)


def _sums(
    places: Array, values: Sequence[Array], products: Sequence[tuple[int, int]], n_places: int | None = None
) -> Array:
    """By cluster: n, the sum of each of the values, and that of each product of two of them."""
    columns = [np.ones(len(places)), *values, *(values[a] * values[b] for a, b in products)]
    return clustered(places, int(places.max(initial=-1)) + 1 if n_places is None else n_places, columns)


def _r(sums: Array, x: int, y: int, xx: int, yy: int, xy: int) -> Array:
    """The correlation by sums, the first of which is n, and the places of the others."""
    n = sums[..., 0]
    spread = spread_or_nan(n, sums[..., x], sums[..., xx]) * spread_or_nan(n, sums[..., y], sums[..., yy])
    return np.clip(quotient_or_nan(n * sums[..., xy] - sums[..., x] * sums[..., y], np.sqrt(spread)), -1, 1)
