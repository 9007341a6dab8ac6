"""Weighted kappa of values in an order, such as scores from 1 to 5 (pure).

    kappa = 1 - sum of w_ij o_ij / sum of w_ij e_ij

o_ij: how often the one rater says i and the other j; e_ij what chance would give, n p_i q_j, each with their own
shares; w_ij: how far apart the categories are, |i - j| (linear) or (i - j)^2 (quadratic), in places of the scale. With
two raters whose means and spreads are alike, quadratic kappa is about Pearson's correlation.

Of more than two raters it is the mean over the pairs that share exhibits, each weighing the same (Light 1971). A pair
of which it is undefined, since both always say the same one value, is left out.

J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968), 213-220. R. J. Light, Measures of response agreement for
qualitative data, Psychological Bulletin 76 (1971), 365-377.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from annotation.statistics.ratings import Array, Ratings, Statistic, mean_of_defined, quotient_or_nan

Weighting = Literal["linear", "quadratic"]


def weighted_kappa(ratings: Ratings, weighting: Weighting = "quadratic") -> Statistic:
    """Weighted kappa; the categories of `ratings` are the whole scale in its order, and mean the same everywhere."""
    k, n = len(ratings.categories), ratings.n_clusters
    first, second = ratings.pairs_by_person
    cluster, pair = ratings.clusters[ratings.item[first]], ratings.people_of_pairs
    distance = _distances(k, weighting)
    apart = distance[ratings.code[first], ratings.code[second]]
    blocks = []
    for one in np.unique(pair):
        rows = pair == one
        at = cluster[rows]
        blocks.append(np.bincount(at, weights=apart[rows], minlength=n)[:, None])
        blocks += [_counted(at, ratings.code[who[rows]], n, k) for who in (first, second)]

    def value(sums: Array) -> Array:
        each = sums.reshape(*sums.shape[:-1], -1, 2 * k + 1)
        said, others = each[..., 1 : k + 1], each[..., k + 1 :]
        chance = quotient_or_nan(((said @ distance) * others).sum(axis=-1), said.sum(axis=-1))
        return mean_of_defined(1 - quotient_or_nan(each[..., 0], chance))

    columns = np.concatenate(blocks, axis=1) if blocks else np.zeros((n, 0))
    return Statistic(columns, value, ratings.n_of_pairs)


def _distances(k: int, weighting: Weighting) -> Array:
    places = np.arange(k)
    apart: Array = np.abs(places[:, None] - places[None, :]).astype(float)
    return apart if weighting == "linear" else apart**2


def _counted(clusters: Array, codes: Array, n: int, k: int) -> Array:
    """How often each code is in each cluster."""
    return np.bincount(clusters * k + codes, minlength=n * k).reshape(n, k).astype(float)
