"""Observed agreement, Cohen's kappa (for more than two people in Conger's form) and Fleiss' kappa (pure).

Observed agreement: of an item with m values, the share of its m (m - 1) / 2 pairs that are equal; then the mean over
items, each of which weighs the same.

Kappa = (A - E) / (1 - E), where A is the observed agreement and E the agreement expected by chance.

Fleiss (1971): E = sum over categories of p_j^2, where p_j is the share of category j in all values. A is the mean over
items. With unequal numbers of values per item, each item has its own share of equal pairs.

Cohen (1960), two people a and b: E = sum over categories of p_aj p_bj, each person with their own shares. With more
people, A is the share of equal ones among all pairs of values of one item, and E the mean of those products over the
same pairs of people (Conger 1980; with two people it is Cohen's). In draws of the bootstrap the numbers of pairs of two
people are those of the data.

A value that means something only within its item is a category of its own.

J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960), 37-46.
J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971), 378-382.
A. J. Conger, Integration and generalization of kappas for multiple raters, Psychological Bulletin 88 (1980), 322-328.

Weighted kappa of values in an order, such as scores from 1 to 5 (pure).

    kappa = 1 - sum of w_ij o_ij / sum of w_ij e_ij

o_ij: how often the one rater says i and the other j; e_ij what chance would give, n p_i q_j, each with their own
shares; w_ij: how far apart the categories are, (i - j)^2 in places of the scale (quadratic). With two raters whose
means and spreads are alike, it is about Pearson's correlation.

Of more than two raters it is the mean over the pairs that share exhibits, each weighing the same (Light 1971). A pair
of which it is undefined, since both always say the same one value, is left out.

J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968), 213-220. R. J. Light, Measures of response agreement for
qualitative data, Psychological Bulletin 76 (1971), 365-377.
"""

from __future__ import annotations

import numpy as np

from annotation.statistics.ratings import Array, Ratings, Statistic, mean_of_defined, quotient_or_nan


def observed(ratings: Ratings) -> Statistic:
    """How often two people give an item the same value."""
    columns = ratings.by_cluster(_agreed(ratings), ratings.values_per_item > 1)
    return Statistic(columns, share, ratings.n_comparable)


def _agreed(ratings: Ratings) -> Array:
    """The share of equal pairs of each item; 0 for an item without pairs."""
    return ratings.same_per_item / np.maximum(ratings.pairs_per_item, 1)


def fleiss(ratings: Ratings) -> Statistic:
    """Fleiss' kappa."""
    k = len(ratings.categories)
    has_pairs = (ratings.values_per_item > 1).astype(float)
    # Of item's own values, the sum of squared counts: m for the values themselves, and 2 for each equal pair.
    own = np.bincount(ratings.item, weights=ratings.own & ratings.comparable, minlength=ratings.n_items)
    squares = own + 2 * ratings.per_item(ratings.same * ratings.own[ratings.pairs[0]])
    heads = ratings.by_cluster(_agreed(ratings), has_pairs, ratings.values_per_item * has_pairs, squares)
    counts = ratings.rows_by_cluster(ratings.code, k, np.ones(len(ratings.code)))

    def value(sums: Array) -> Array:
        agreed, total = quotient_or_nan(sums[..., 0], sums[..., 1]), sums[..., 2]
        chance = quotient_or_nan((sums[..., 4:] ** 2).sum(axis=-1) + sums[..., 3], total**2)
        return quotient_or_nan(agreed - chance, 1 - chance)

    return Statistic(np.concatenate([heads, counts], axis=1), value, ratings.n_comparable)


def cohen(ratings: Ratings) -> Statistic:
    """Cohen's kappa of two people, Conger's of more."""
    k, p = len(ratings.categories), len(ratings.people)
    first, second = (ratings.person[rows] for rows in ratings.pairs)
    together = np.bincount(first * p + second, minlength=p * p).reshape(p, p)
    share = (together + together.T) / max(2 * len(first), 1)
    counts = np.bincount(ratings.person[ratings.comparable], minlength=p)
    own_pairs = ratings.same * ratings.own[ratings.pairs[0]]
    by_chance = (own_pairs * share[first, second] / np.maximum(counts[first] * counts[second], 1)).sum() * 2
    heads = ratings.by_cluster(ratings.same_per_item, ratings.pairs_per_item)
    ones = np.ones(len(ratings.code))
    said = np.where(ratings.own, -1, ratings.person * k + ratings.code)
    columns = [heads, ratings.rows_by_cluster(ratings.person, p, ones), ratings.rows_by_cluster(said, p * k, ones)]

    def value(sums: Array) -> Array:
        agreed, totals = quotient_or_nan(sums[..., 0], sums[..., 1]), sums[..., 2 : 2 + p, None]
        shares = sums[..., 2 + p :].reshape(*sums.shape[:-1], p, k) / np.maximum(totals, 1)
        chance = by_chance + ((share @ shares) * shares).sum(axis=(-2, -1))
        return quotient_or_nan(agreed - chance, 1 - chance)

    return Statistic(np.concatenate(columns, axis=1), value, ratings.n_comparable)


def with_others(ratings: Ratings) -> Array:
    """For each value, how many of the other values of its item are equal, as a share; NaN if there is no other."""
    both = np.concatenate(ratings.pairs)
    same = np.bincount(both, weights=np.tile(ratings.same, 2), minlength=len(ratings.code))
    return quotient_or_nan(same, ratings.values_per_item[ratings.item] - 1)


def share(sums: Array) -> Array:
    """The first sum divided by the second."""
    return quotient_or_nan(sums[..., 0], sums[..., 1])


def weighted_kappa(ratings: Ratings) -> Statistic:
    """Weighted kappa; the categories of `ratings` are the whole scale in its order, and mean the same everywhere."""
    k, n = len(ratings.categories), ratings.n_clusters
    first, second = ratings.pairs_by_person
    cluster, pair = ratings.clusters[ratings.item[first]], ratings.people_of_pairs
    places = np.arange(k, dtype=float)
    distance = (places[:, None] - places[None, :]) ** 2
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


def _counted(clusters: Array, codes: Array, n: int, k: int) -> Array:
    """How often each code is in each cluster."""
    return np.bincount(clusters * k + codes, minlength=n * k).reshape(n, k).astype(float)
