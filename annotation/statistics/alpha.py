"""Krippendorff's alpha: nominal, ordinal and interval values, and sets by a distance (pure).

    alpha = 1 - D_o / D_e

With n values in items that have two or more, m_u of them in item u, and a distance d of two values:

    D_o = 1 / n  sum over items u of  (sum of d over the ordered pairs of values in u) / (m_u - 1)
    D_e = 1 / (n (n - 1))  sum of d over the ordered pairs of all n values

d is 1 for different values, else 0 (nominal); (a - b)^2 (interval); the squared number of values between two
categories, (sum of n_g for g from c to k, less (n_c + n_k) / 2)^2 (ordinal); or the distance of two sets. A value that
means something only within its item has the distance 1 to every value of another item.

K. Krippendorff, Computing Krippendorff's alpha-reliability (2011), whose worked example C is in the tests; and Content
Analysis, 4th edition (2018), chapter 12.

Distances of two sets: Jaccard's and MASI (pure). Both are 0 for equal sets and 1 for sets that share nothing.

Jaccard: d = 1 - J, J = |A and B| / |A or B|; two empty sets are equal.

MASI: d = 1 - J M, where M is 1 for equal sets, 2/3 if one contains the other, 1/3 if they share something but each has
something of its own, else 0.

P. Jaccard, The distribution of the flora in the alpine zone, New Phytologist 11 (1912), 37-50.
R. Passonneau, Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation, LREC (2006).
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from annotation.statistics.ratings import Array, Ratings, Statistic, quotient_or_nan


def jaccard(one: Set[Any], other: Set[Any]) -> float:
    """Jaccard's distance."""
    return 1 - _overlap(one, other)


def masi(one: Set[Any], other: Set[Any]) -> float:
    """The MASI distance."""
    if one == other:
        monotonic = 1.0
    elif one <= other or other <= one:
        monotonic = 2 / 3
    elif one & other:
        monotonic = 1 / 3
    else:
        monotonic = 0.0
    return 1 - _overlap(one, other) * monotonic


def _overlap(one: Set[Any], other: Set[Any]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def nominal(ratings: Ratings) -> Statistic:
    """Values are equal or not."""
    k = len(ratings.categories)
    return by_distance(ratings, 1 - np.eye(k), 1 - ratings.same)


def by_distance(ratings: Ratings, shared: Array, pairs: Array) -> Statistic:
    """`shared`: the distances of the categories. `pairs`: the distance of each pair of values of one item."""
    k = len(ratings.categories)
    within = _within(ratings, pairs)
    both_own = ratings.own[ratings.pairs[0]] & ratings.own[ratings.pairs[1]]
    alike = 2 * ratings.per_item(np.where(both_own, 1 - pairs, 0.0))
    own = np.bincount(ratings.item, weights=ratings.own & ratings.comparable, minlength=ratings.n_items)
    heads = ratings.by_cluster(within, own, alike)
    counts = ratings.rows_by_cluster(ratings.code, k, np.ones(len(ratings.code)))

    def value(sums: Array) -> Array:
        own, said = sums[..., 1], sums[..., 3:]
        in_categories = said.sum(axis=-1)
        n = own + in_categories
        expected = ((said @ shared) * said).sum(axis=-1) + 2 * in_categories * own + own * (own - 1) - sums[..., 2]
        return 1 - quotient_or_nan((n - 1) * sums[..., 0], expected)

    return Statistic(np.concatenate([heads, counts], axis=1), value, ratings.n_comparable)


def interval(ratings: Ratings) -> Statistic:
    """Values are numbers (the categories): their squared difference counts."""
    numbers = np.array(ratings.categories, dtype=float)
    said = np.where(ratings.comparable, (numbers - numbers.mean())[ratings.code] if len(numbers) else 0.0, 0.0)
    first, second = ratings.pairs
    sums_of = (np.bincount(ratings.item, weights=x, minlength=ratings.n_items) for x in (said, said**2))
    count = np.where(ratings.values_per_item > 1, ratings.values_per_item, 0)
    columns = ratings.by_cluster(_within(ratings, (said[first] - said[second]) ** 2), count, *sums_of)

    def value(sums: Array) -> Array:
        within, n, total, squares = (sums[..., place] for place in range(4))
        return 1 - quotient_or_nan((n - 1) * within, 2 * n * squares - 2 * total**2)

    return Statistic(columns, value, ratings.n_comparable)


def ordinal(ratings: Ratings) -> Statistic:
    """Values are categories in their order: how many values lie between two of them counts."""
    k = len(ratings.categories)
    first, second = ratings.pairs
    weight = 1 / np.maximum(ratings.values_per_item - 1, 1)[ratings.pair_item]
    cluster = ratings.clusters[ratings.pair_item]
    found = np.zeros((ratings.n_clusters, k * k))
    for one, other in ((first, second), (second, first)):
        at = cluster * k * k + ratings.code[one] * k + ratings.code[other]
        found += np.bincount(at, weights=weight, minlength=found.size).reshape(found.shape)

    def value(sums: Array) -> Array:
        coincidences = sums.reshape(*sums.shape[:-1], k, k)
        said = coincidences.sum(axis=-1)
        middle = np.cumsum(said, axis=-1) - said / 2  # the rank of the middle of each category
        distance = (middle[..., :, None] - middle[..., None, :]) ** 2
        expected = (said[..., :, None] * said[..., None, :] * distance).sum(axis=(-2, -1))
        return 1 - quotient_or_nan((said.sum(axis=-1) - 1) * (coincidences * distance).sum(axis=(-2, -1)), expected)

    return Statistic(found, value, ratings.n_comparable)


def _within(ratings: Ratings, distance: Array) -> Array:
    """n D_o, by item: the distances of its ordered pairs of values, divided by m_u - 1."""
    found: Array = 2 * ratings.per_item(distance) / np.maximum(ratings.values_per_item - 1, 1)
    return found
