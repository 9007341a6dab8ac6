"""Pearson's correlation of two values, such as the scores of two raters, or a score and a metric (pure).

    r = (n sum xy - sum x sum y) / root of ((n sum xx - (sum x)^2) (n sum yy - (sum y)^2))

It is a function of six sums, so the bootstrap draws clusters: the answers to one item are judged alike. Values are
centred and scaled first: else the differences of large sums lose digits. It is undefined (NaN) if either value is the
same everywhere.

The intraclass correlation of raters' scores, from mean squares, in the second form of Shrout and Fleiss.

With the mean squares between exhibits (B), between raters (J) and of the residual (E), n exhibits and k raters:

    ICC(2,1) = (B - E) / (B + (k - 1) E + k (J - E) / n)          two-way random: absolute agreement

It is of the exhibits that all raters judged, so where raters rotate there is none.

P. E. Shrout and J. L. Fleiss, Intraclass correlations: uses in assessing rater reliability, Psychological Bulletin 86
(1979), 420-428.
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


def absolute_agreement(ratings: Ratings) -> Statistic:
    """ICC(2,1) of the exhibits that all raters scored: who scores higher than the others disagrees with them."""
    k = len(ratings.people)
    used = (ratings.values_per_item == k) & (k > 1)
    score = centred(np.array(ratings.categories, dtype=float)[ratings.code])
    score = np.where(used[ratings.item], score, 0.0)
    total, squares = _by_item(ratings, score), _by_item(ratings, score**2)
    of_raters = np.zeros((ratings.n_items, k))
    np.add.at(of_raters, (ratings.item, ratings.person), score)
    columns = ratings.by_cluster(used, total**2 / max(k, 1), squares, *of_raters.T)

    def value(sums: Array) -> Array:
        n, of_items, squares, by_rater = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
        mean = quotient_or_nan(by_rater.sum(axis=-1) ** 2, n * k)
        of_raters = quotient_or_nan((by_rater**2).sum(axis=-1), n) - mean
        between = of_items - mean
        error = quotient_or_nan(_positive(squares - mean - between - of_raters, squares), (n - 1) * (k - 1))
        between, raters = quotient_or_nan(between, n - 1), of_raters / max(k - 1, 1)
        whole = between + (k - 1) * error + k * quotient_or_nan(raters - error, n)
        return _of_spread(between - error, whole, squares - mean, squares)

    return Statistic(columns, value, len(np.unique(ratings.wholes[used])))


def _by_item(ratings: Ratings, values: Array) -> Array:
    return np.bincount(ratings.item, weights=values, minlength=ratings.n_items)


def _positive(sum_of_squares: Array, squares: Array) -> Array:
    """A sum of squares that is 0 but for rounding as 0."""
    return np.where(sum_of_squares > EXACTNESS * squares, sum_of_squares, 0.0)


def _of_spread(part: Array, whole: Array, spread: Array, squares: Array) -> Array:
    """part / whole; NaN where all values are the same, or the whole is not above 0."""
    found = quotient_or_nan(part, whole)
    return np.where((spread > EXACTNESS * squares) & (whole > 0), found, np.nan)
