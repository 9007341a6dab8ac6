"""The intraclass correlation of raters' scores, from mean squares, in the three forms of Shrout and Fleiss (pure).

With the mean squares between exhibits (B), within them (W), between raters (J) and of the residual (E), n exhibits and
k raters:

    ICC(1,1) = (B - W) / (B + (k - 1) W)                          one-way: raters of each exhibit are any people
    ICC(2,1) = (B - E) / (B + (k - 1) E + k (J - E) / n)          two-way random: absolute agreement
    ICC(3,1) = (B - E) / (B + (k - 1) E)                          two-way: consistency, a rater's own level is no error

and for the mean of k raters instead of one: (B - W) / B, (B - E) / (B + (J - E) / n) and (B - E) / B. The two-way forms
are of the exhibits that all raters judged, so where raters rotate there are none. The one-way form is of all exhibits
with two values or more; where they have different numbers k_i of them, N in all, k is

    k_0 = (N - sum of k_i^2 / N) / (n - 1)

P. E. Shrout and J. L. Fleiss, Intraclass correlations: uses in assessing rater reliability, Psychological Bulletin 86
(1979), 420-428. S. R. Searle, G. Casella and C. E. McCulloch, Variance Components (1992), chapter 3 (k_0).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annotation.statistics.correlation import EXACTNESS, centred
from annotation.statistics.ratings import Array, Ratings, Statistic, quotient_or_nan

_Below = Callable[[Array, Array, Array, Array], Array]
"""From the mean squares B, E and J, and n."""


def one_way(ratings: Ratings, *, average: bool = False) -> Statistic:
    """ICC(1,1), or ICC(1,k) for the mean of the raters of an exhibit."""
    used = ratings.values_per_item > 1
    score, k = _scores(ratings), np.where(used, ratings.values_per_item, 0).astype(float)
    total = np.where(used, _by_item(ratings, score), 0.0)
    squares = np.where(used, _by_item(ratings, score**2), 0.0)
    columns = ratings.by_cluster(used, k, k**2, total, total**2 / np.maximum(k, 1), squares)

    def value(sums: Array) -> Array:
        n, values, k_squared, total, of_items, squares = (sums[..., place] for place in range(6))
        mean = quotient_or_nan(total**2, values)
        between = quotient_or_nan(of_items - mean, n - 1)
        within = quotient_or_nan(_positive(squares - of_items, squares), values - n)
        k = quotient_or_nan(values - quotient_or_nan(k_squared, values), n - 1)
        return _of_spread(between - within, between if average else between + (k - 1) * within, squares - mean, squares)

    return Statistic(columns, value, ratings.n_comparable)


def absolute_agreement(ratings: Ratings, *, average: bool = False) -> Statistic:
    """ICC(2,1), or ICC(2,k) for the mean of the k raters: who scores higher than the others disagrees with them."""
    k = len(ratings.people)

    def of_squares(between: Array, error: Array, raters: Array, n: Array) -> Array:
        more = quotient_or_nan(raters - error, n)
        return between + (more if average else (k - 1) * error + k * more)

    return _two_way(ratings, of_squares)


def consistency(ratings: Ratings, *, average: bool = False) -> Statistic:
    """ICC(3,1), or ICC(3,k) for the mean of the k raters: only differences of exhibits count, not raters' levels."""
    k = len(ratings.people)
    return _two_way(ratings, lambda between, error, _raters, _n: between + (0.0 if average else (k - 1) * error))


def _two_way(ratings: Ratings, below: _Below) -> Statistic:
    """(B - E) / below(B, E, J, n)."""
    k = len(ratings.people)
    used = (ratings.values_per_item == k) & (k > 1)
    score = np.where(used[ratings.item], _scores(ratings), 0.0)
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
        return _of_spread(between - error, below(between, error, raters, n), squares - mean, squares)

    return Statistic(columns, value, len(np.unique(ratings.wholes[used])))


def _scores(ratings: Ratings) -> Array:
    """The number of each row, centred."""
    return centred(np.array(ratings.categories, dtype=float)[ratings.code])


def _by_item(ratings: Ratings, values: Array) -> Array:
    return np.bincount(ratings.item, weights=values, minlength=ratings.n_items)


def _positive(sum_of_squares: Array, squares: Array) -> Array:
    """A sum of squares that is 0 but for rounding as 0."""
    return np.where(sum_of_squares > EXACTNESS * squares, sum_of_squares, 0.0)


def _of_spread(part: Array, whole: Array, spread: Array, squares: Array) -> Array:
    """part / whole; NaN where all values are the same, or the whole is not above 0."""
    found = quotient_or_nan(part, whole)
    return np.where((spread > EXACTNESS * squares) & (whole > 0), found, np.nan)
