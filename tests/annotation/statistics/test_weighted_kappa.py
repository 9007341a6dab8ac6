"""Weighted kappa: by hand and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from annotation.statistics import kappa
from annotation.statistics.bootstrap import estimate
from annotation.statistics.kappa import weighted_kappa
from annotation.statistics.reliability import round_ratings

SCALE = (1, 2, 3, 4, 5)


def scores(seed, people=2, n=120):
    rng = np.random.default_rng(seed)
    return np.clip(rng.integers(1, 6, size=n)[:, None] + rng.integers(-1, 2, size=(n, people)), 1, 5)


def rated(table, **how):
    names = "abcdefgh"[: table.shape[1]]
    units = [dict(zip(names, row, strict=True)) for row in table.tolist()]
    return round_ratings(units, how.pop("questions", range(len(units))), SCALE)


def test_four_exhibits_by_hand():
    """a: 1 1 2 3, b: 1 2 2 1. Apart, squared: 0 1 0 4."""
    units = [{"a": a, "b": b} for a, b in ((1, 1), (1, 2), (2, 2), (3, 1))]
    ratings = round_ratings(units, range(4), (1, 2, 3))
    # Shares of a: 2 1 1, of b: 2 2 0 (of 4). By chance: each with each, times its distance, / 4.
    chance = (2 * 2 * 1 + 1 * 2 * 1 + 1 * 2 * 4 + 1 * 2 * 1) / 4
    assert weighted_kappa(ratings).point == pytest.approx(1 - 5 / chance)


@pytest.mark.parametrize("seed", range(5))
def test_two_raters_have_the_one_of_scikit_learn(seed):
    table = scores(seed)
    expected = cohen_kappa_score(*table.T, labels=SCALE, weights="quadratic")
    assert weighted_kappa(rated(table)).point == pytest.approx(expected)


def test_of_three_raters_it_is_the_mean_over_pairs():
    table = scores(9, people=3)
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = np.mean([cohen_kappa_score(table[:, a], table[:, b], weights="quadratic") for a, b in pairs])
    assert weighted_kappa(rated(table)).point == pytest.approx(expected)


def test_the_order_of_raters_in_an_exhibit_is_nothing():
    units = [{"a": 1, "b": 2}, {"b": 5, "a": 3}, {"a": 4, "b": 4}, {"b": 1, "a": 1}]
    turned = [dict(reversed(unit.items())) for unit in units]
    one, other = (weighted_kappa(round_ratings(each, range(4), SCALE)).point for each in (units, turned))
    assert (
        one == other == pytest.approx(cohen_kappa_score([1, 3, 4, 1], [2, 5, 4, 1], weights="quadratic", labels=SCALE))
    )


def test_of_two_marks_it_is_cohens():
    table = np.random.default_rng(1).integers(1, 3, size=(50, 2))
    assert weighted_kappa(rated(table)).point == pytest.approx(kappa.cohen(rated(table)).point)


def test_it_is_undefined_if_everybody_always_says_the_same_and_a_pair_that_does_is_left_out():
    assert np.isnan(weighted_kappa(rated(np.full((20, 2), 3))).point)
    table = scores(3)
    more = [{"a": a, "b": b} for a, b in table.tolist()] + [{"a": 2, "c": 2}] * 5
    found = weighted_kappa(round_ratings(more, range(len(more)), SCALE))
    assert found.point == pytest.approx(weighted_kappa(rated(table)).point)
    assert np.isnan(weighted_kappa(round_ratings([], [], SCALE)).point)


def test_its_interval_is_by_question():
    table = np.repeat(scores(4, n=60), 5, axis=0)
    alone, whole = (
        estimate(weighted_kappa(rated(table))),
        estimate(weighted_kappa(rated(table, questions=np.repeat(range(60), 5)))),
    )
    assert (alone.n, whole.n) == (300, 60)
    assert alone.value == pytest.approx(whole.value)
    assert whole.high - whole.low > 1.8 * (alone.high - alone.low)
