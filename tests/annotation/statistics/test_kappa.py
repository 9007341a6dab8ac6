"""Observed agreement and kappas: published examples, scikit-learn, and values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from annotation.statistics import kappa
from annotation.statistics.ratings import Ratings
from tests.annotation.statistics.published import COHEN, FLEISS, made_up, of_counts, of_two, units_of


def test_the_ten_items_of_fleiss():
    found = kappa.fleiss(of_counts(FLEISS))
    assert found.point == pytest.approx(0.20993, abs=5e-6)
    assert kappa.observed(of_counts(FLEISS)).point == pytest.approx(0.378, abs=5e-4)
    assert found.n == 10


def test_the_two_hundred_items_of_cohen():
    assert kappa.cohen(of_two(COHEN)).point == pytest.approx(0.492, abs=5e-4)
    assert kappa.observed(of_two(COHEN)).point == pytest.approx(0.7)


@pytest.mark.parametrize("seed", range(5))
def test_two_people_have_the_kappa_of_scikit_learn_on_the_items_of_both(seed):
    said = made_up(seed, people=2)
    both = [(a, b) for a, b in zip(*said, strict=True) if a is not None and b is not None]
    assert kappa.cohen(Ratings.from_units(units_of(said))).point == pytest.approx(
        cohen_kappa_score(*zip(*both, strict=True))
    )


def test_of_three_people_who_answer_everything_chance_is_the_mean_over_their_pairs():
    said = made_up(7, people=3, gaps=0)
    pairs = [(said[a], said[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    agreed = np.mean([np.mean(np.equal(a, b)) for a, b in pairs])
    shares = [np.bincount(row, minlength=5) / len(row) for row in said]
    chance = np.mean([shares[0] @ shares[1], shares[0] @ shares[2], shares[1] @ shares[2]])
    assert kappa.cohen(Ratings.from_units(units_of(said))).point == pytest.approx((agreed - chance) / (1 - chance))


def test_a_value_of_one_item_agrees_only_there():
    units = [{"a": "box 1", "b": "box 1"}, {"a": "box 1", "b": "none"}, {"a": "none", "b": "none"}]
    everywhere, within = Ratings.from_units(units), Ratings.from_units(units, categories=("none",))
    assert kappa.observed(within).point == kappa.observed(everywhere).point == pytest.approx(2 / 3)
    # Shares: none 3 of 6, the first item's box 2 of 6, the second's 1 of 6.
    chance = (9 + 4 + 1) / 36
    assert kappa.fleiss(within).point == pytest.approx((2 / 3 - chance) / (1 - chance))
    # a: two boxes and none; b: a box and none twice. Only the box of the first item is in both.
    chance = 1 / 3 * 2 / 3 + 1 / 3 * 1 / 3
    assert kappa.cohen(within).point == pytest.approx((2 / 3 - chance) / (1 - chance))


def test_an_item_with_a_single_value_does_not_count():
    units = [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2}, {}]
    assert kappa.observed(Ratings.from_units(units)).point == 0.5
    assert kappa.observed(Ratings.from_units(units)).n == 2
    assert kappa.fleiss(Ratings.from_units(units)).point == pytest.approx(
        kappa.fleiss(Ratings.from_units(units[:2])).point
    )
    assert kappa.cohen(Ratings.from_units(units)).point == pytest.approx(
        kappa.cohen(Ratings.from_units(units[:2])).point
    )


def test_kappa_is_undefined_if_everybody_always_says_the_same():
    same = Ratings.from_units([{"a": 1, "b": 1}, {"a": 1, "b": 1}])
    assert np.isnan(kappa.fleiss(same).point)
    assert np.isnan(kappa.cohen(same).point)
    assert kappa.observed(same).point == 1


def test_each_value_agrees_with_a_share_of_the_others_of_its_item():
    units = [{"a": 1, "b": 1, "c": 2}, {"a": 2, "b": 2}, {"b": 1, "c": 1}, {"a": 3}]
    found = kappa.with_others(Ratings.from_units(units))
    assert found[:-1].tolist() == [0.5, 0.5, 0, 1, 1, 1, 1]
    assert np.isnan(found[-1])
