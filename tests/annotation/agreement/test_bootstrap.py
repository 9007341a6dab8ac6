"""Intervals: seeded, clustered on items, and as wide as theory says."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from annotation.agreement import alpha, bootstrap, kappa
from annotation.agreement.ratings import Ratings
from tests.annotation.agreement.published import FLEISS, made_up, of_counts, units_of


def by_hand(units, *, draws=1000, seed=bootstrap.SEED):
    """Draw whole items again and again, and measure each draw anew."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(draws):
        chosen = rng.integers(0, len(units), size=len(units))
        found.append(alpha.nominal(Ratings.of([units[place] for place in chosen])).point)
    return np.percentile(found, (2.5, 97.5))


def test_it_is_what_drawing_items_by_hand_gives():
    units = units_of(made_up(3, items=40, gaps=0.1))
    found = bootstrap.estimate(alpha.nominal(Ratings.of(units)), draws=200)
    assert (found.low, found.high) == pytest.approx(by_hand(units, draws=200))


def test_a_share_has_the_width_of_the_normal_approximation():
    units = [{"a": 1, "b": int(number % 4 > 0)} for number in range(800)]
    found = bootstrap.estimate(kappa.observed(Ratings.of(units)))
    half = 1.96 * sqrt(0.75 * 0.25 / 800)
    assert found.value == 0.75
    assert (found.low, found.high) == pytest.approx((0.75 - half, 0.75 + half), abs=0.006)


def test_items_of_one_cluster_are_drawn_together():
    """Ten copies of every item in its own cluster say nothing new: the interval must not shrink."""
    units = units_of(made_up(4, items=90, gaps=0))
    once, copies = Ratings.of(units), Ratings.of(units * 10)
    copies = Ratings(**{**vars_of(copies), "clusters": np.tile(np.arange(90), 10)})
    found, expected = (bootstrap.estimate(kappa.fleiss(ratings)) for ratings in (copies, once))
    assert found[:3] == pytest.approx(expected[:3])


def test_the_same_data_give_the_same_interval():
    ratings = of_counts(FLEISS)
    assert bootstrap.estimate(kappa.fleiss(ratings)) == bootstrap.estimate(kappa.fleiss(ratings))
    assert bootstrap.estimate(kappa.fleiss(ratings), seed=1) != bootstrap.estimate(kappa.fleiss(ratings))


def test_items_in_groups_give_about_the_same_interval():
    units = units_of(made_up(5, items=3000, people=4))
    ratings = Ratings.of(units)
    clusters = bootstrap.groups_of(np.arange(3000), groups=500)
    assert np.bincount(clusters).tolist() == [6] * 500
    grouped = Ratings(**{**vars_of(ratings), "clusters": clusters})
    whole, parts = (bootstrap.estimate(alpha.nominal(found)) for found in (ratings, grouped))
    assert parts.value == pytest.approx(whole.value)
    assert parts.high - parts.low == pytest.approx(whole.high - whole.low, rel=0.15)


def vars_of(ratings):
    names = ("item", "person", "code", "categories", "people", "clusters")
    return {name: getattr(ratings, name) for name in names}


def test_one_item_has_no_interval_and_none_no_value():
    one = Ratings.of([{"a": 1, "b": 2}])
    assert bootstrap.estimate(kappa.observed(one)) == (0, None, None, 1)
    assert bootstrap.estimate(kappa.observed(Ratings.of([{"a": 1}]))) == (None, None, None, 0)
    assert bootstrap.estimate(alpha.nominal(Ratings.of([]))) == (None, None, None, 0)
