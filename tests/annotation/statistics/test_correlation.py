"""Pearson's correlation: by hand, scipy, and its bootstrap by question."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from annotation.statistics.bootstrap import GROUPS, cluster_places, estimate
from annotation.statistics.correlation import pearson, pearson_difference, pearson_of_raters
from annotation.statistics.reliability import round_ratings


def made_up(seed, n=200, per_question=5):
    rng = np.random.default_rng(seed)
    questions = np.repeat(np.arange(n), per_question)
    shared = np.repeat(rng.normal(size=n), per_question)
    x, y = (shared + rng.normal(size=len(shared)) for _ in range(2))
    return x, y, questions


def test_four_points_by_hand():
    # Deviations -1.5 -.5 .5 1.5 and -1.5 .5 -.5 1.5: products sum to 4, squares to 5 each.
    assert pearson([1, 2, 3, 4], [1, 3, 2, 4], "abcd").point == pytest.approx(0.8)
    assert pearson([1, 2, 3], [3, 2, 1], "abc").point == pytest.approx(-1)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_that_of_scipy_however_far_values_are_from_0(seed):
    x, y, questions = made_up(seed)
    assert pearson(x, y, questions).point == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)
    assert pearson(x + 1e6, y * 1e-6, questions).point == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-7)


def test_it_is_undefined_where_a_value_is_the_same_everywhere():
    assert np.isnan(pearson([0.1] * 30, range(30), range(30)).point)
    assert np.isnan(pearson([], [], []).point)
    assert np.isnan(pearson([1], [2], "a").point)
    assert estimate(pearson([0.1] * 30, range(30), range(30))).value is None


def test_draws_of_equal_values_are_undefined():
    """A draw may have only clusters of one value, whose spread is 0 but for rounding."""
    one = pearson([0.1, 0.1, 0.7, 0.3], [1, 2, 3, 4], "abcd")
    assert np.isnan(one.value(np.array([2, 2, 0, 0]) @ one.columns))
    assert np.isnan(one.value(np.array([0, 0, 4, 0]) @ one.columns))


def test_a_question_with_several_answers_is_drawn_as_a_whole():
    x, y, questions = made_up(1)
    single, whole = estimate(pearson(x, y, np.arange(len(x)))), estimate(pearson(x, y, questions))
    assert (single.n, whole.n) == (1000, 200)
    assert whole.high - whole.low > 1.2 * (single.high - single.low)


@pytest.mark.parametrize(("n", "rows"), [(GROUPS, GROUPS), (GROUPS + 1, GROUPS), (2000, GROUPS)])
def test_beyond_500_questions_groups_of_them_are_drawn(n, rows):
    x, y, questions = made_up(2, n=n, per_question=2)
    one = pearson(x, y, questions)
    assert (len(one.columns), one.n) == (rows, n)
    found = estimate(one)
    assert found.low < found.value < found.high
    # Answers of a question are alike in both values: by the delta method wider than for independent ones, not by much.
    independent = 2 * 1.96 * (1 - found.value**2) / np.sqrt(2 * n)
    assert 0.8 * independent < found.high - found.low < 1.8 * independent


def test_places_of_clusters_are_the_same_for_the_same_names_in_any_order():
    places, n = cluster_places(["b", "a", "b", "c"])
    assert (places.tolist(), n) == ([1, 0, 1, 2], 3)
    assert cluster_places([])[1] == 0


def test_of_too_few_questions_there_is_no_interval():
    x, y, questions = made_up(3, n=9, per_question=5)
    assert estimate(pearson(x, y, questions)).is_too_few


def test_two_raters_are_two_values_and_of_three_the_mean_over_pairs():
    rng = np.random.default_rng(4)
    scores = np.clip(rng.integers(1, 6, size=60)[:, None] + rng.integers(-1, 2, size=(60, 3)), 1, 5).tolist()
    of_two = round_ratings([{"a": row[0], "b": row[1]} for row in scores], range(60), range(1, 6))
    of_three = round_ratings([dict(zip("abc", row, strict=True)) for row in scores], range(60), range(1, 6))
    table = np.corrcoef(np.array(scores).T)
    assert pearson_of_raters(of_two).point == pytest.approx(table[0, 1])
    assert pearson_of_raters(of_three).point == pytest.approx(np.mean([table[0, 1], table[0, 2], table[1, 2]]))
    assert pearson_of_raters(of_three).n == 60


def test_raters_who_rotate_are_paired_where_they_meet():
    units = [{"a": 1, "b": 2}, {"b": 3, "c": 1}, {"a": 4, "b": 4}, {"b": 2, "c": 2}, {"a": 5, "b": 3}, {"a": 3}]
    units += [{"b": 5, "c": 4}]
    expected = [stats.pearsonr([1, 4, 5], [2, 4, 3]).statistic, stats.pearsonr([3, 2, 5], [1, 2, 4]).statistic]
    found = pearson_of_raters(round_ratings(units, range(7), range(1, 6)))
    assert found.point == pytest.approx(np.mean(expected))
    assert found.n == 6


def test_a_difference_is_that_of_both_correlations_and_narrower_than_independent_ones():
    x, y, questions = made_up(5)
    z = y + 0.3 * np.random.default_rng(5).normal(size=len(y))
    found = pearson_difference(x, y, z, questions)
    assert found.point == pytest.approx(pearson(x, y, questions).point - pearson(x, z, questions).point)
    wide, narrow = estimate(pearson(x, y, questions)), estimate(found)
    assert narrow.high - narrow.low < wide.high - wide.low
