"""Intervals: seeded, clustered on items, as BCa gives them, and none where too few items differ."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from annotation.statistics import alpha, bootstrap, kappa
from annotation.statistics.ratings import Ratings, Statistic
from tests.annotation.statistics.published import made_up, units_of

UNITS = units_of(made_up(3, items=40, gaps=0.1))


def alpha_of(units):
    return alpha.nominal(Ratings.from_units(units)).point


def test_draws_and_what_is_left_without_each_item_are_what_one_gets_by_hand():
    rng = np.random.default_rng(bootstrap.SEED)
    drawn = [[UNITS[place] for place in rng.integers(0, 40, size=40)] for _ in range(200)]
    statistic = alpha.nominal(Ratings.from_units(UNITS))
    found = statistic.value(bootstrap.drawn(statistic.columns, draws=200))
    assert found == pytest.approx([alpha_of(units) for units in drawn])
    without = statistic.value(bootstrap.left_out(statistic.columns))
    assert without == pytest.approx([alpha_of(UNITS[:place] + UNITS[place + 1 :]) for place in range(40)])


@pytest.mark.parametrize("within", [0.95, 0.99])
def test_the_ends_are_those_that_scipy_computes_from_the_same_draws(within):
    statistic = alpha.nominal(Ratings.from_units(UNITS))
    ours = bootstrap.estimate(statistic, within=within)
    draws = statistic.value(bootstrap.drawn(statistic.columns))
    theirs = stats.bootstrap(
        (np.arange(40),),
        lambda places: float(statistic.value(statistic.columns[places].sum(axis=0))),
        vectorized=False,
        n_resamples=0,
        confidence_level=2 * bootstrap.NORMAL.cdf(bootstrap.expanded(within, ours.differing)) - 1,
        method="BCa",
        bootstrap_result=SimpleNamespace(bootstrap_distribution=draws),
    )
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=1e-9)


@pytest.mark.parametrize("m", [10, 20, 500])
@pytest.mark.parametrize("within", [0.95, 0.999])
def test_an_interval_that_rests_on_few_reaches_as_far_as_student_s(m, within):
    wanted = stats.t.ppf((1 + within) / 2, m - 1) * sqrt(m / (m - 1))
    assert bootstrap.expanded(within, m) == pytest.approx(wanted, rel=1e-3)


def test_a_share_has_the_width_of_the_normal_approximation():
    units = [{"a": 1, "b": int(number % 4 > 0)} for number in range(800)]
    found = bootstrap.estimate(kappa.observed(Ratings.from_units(units)))
    half = 1.96 * sqrt(0.75 * 0.25 / 800)
    assert found.value == 0.75
    assert (found.low, found.high) == pytest.approx((0.75 - half, 0.75 + half), abs=0.006)


def test_items_of_one_cluster_are_drawn_and_counted_together():
    """Ten copies of every item in its own cluster say nothing new: neither the interval nor n may tell otherwise."""
    units = units_of(made_up(4, items=90, gaps=0))
    of_copies = np.tile(np.arange(90), 10)
    copies = replace(Ratings.from_units(units * 10), clusters=of_copies, wholes=of_copies)
    found, expected = (bootstrap.estimate(kappa.fleiss(ratings)) for ratings in (copies, Ratings.from_units(units)))
    assert found == pytest.approx(expected)
    assert found.n == 90


def test_the_same_data_give_the_same_interval():
    statistic = kappa.fleiss(Ratings.from_units(UNITS))
    assert bootstrap.estimate(statistic) == bootstrap.estimate(statistic)
    assert bootstrap.estimate(statistic, seed=1) != bootstrap.estimate(statistic)


def test_items_in_groups_give_about_the_same_interval():
    ratings = Ratings.from_units(units_of(made_up(5, items=3000, people=4)))
    clusters = bootstrap.groups_of(np.arange(3000), groups=500)
    assert np.bincount(clusters).tolist() == [6] * 500
    whole, parts = (
        bootstrap.estimate(alpha.nominal(found)) for found in (ratings, replace(ratings, clusters=clusters))
    )
    assert parts.value == pytest.approx(whole.value)
    assert parts.n == whole.n
    assert parts.high - parts.low == pytest.approx(whole.high - whole.low, rel=0.15)


def differing(n, *, of=60):
    """So many items on which two people differ, among others on which they agree."""
    return Ratings.from_units([{"a": 0, "b": int(number < n)} for number in range(of)])


@pytest.mark.parametrize("measured", [kappa.observed, alpha.nominal])
def test_there_is_an_interval_from_ten_items_on_that_differ(measured):
    nine, ten = (bootstrap.estimate(measured(differing(n))) for n in (9, 10))
    assert (nine.low, nine.high, nine.differing) == (None, None, 9)
    assert nine.more == 7  # 60 items for nine of them, so 67 for ten
    assert ten.differing == 10
    assert ten.low < ten.value < ten.high
    assert (ten.more, ten.no_interval) == (None, "")


def test_where_everybody_agrees_there_is_neither_an_interval_nor_a_guess_how_many_it_takes():
    found = bootstrap.estimate(kappa.observed(differing(0)))
    assert found[:3] == (1, None, None)
    assert (found.more, found.no_interval) == (None, "too few for an interval")


def test_items_do_not_differ_because_more_people_were_asked():
    """200 items on which two or three people agree, and three items of another class: these three alone tell."""
    rng = np.random.default_rng(1)
    units = [dict.fromkeys("abc"[: rng.integers(2, 4)], 0) for _ in range(200)] + [{"a": 1, "b": 0}] * 3
    found = bootstrap.estimate(alpha.nominal(Ratings.from_units(units)))
    assert (found.low, found.differing) == (None, 3)


def test_a_number_that_hangs_on_one_item_has_no_interval():
    """Without the only item that has the class, alpha is undefined."""
    found = bootstrap.estimate(alpha.nominal(differing(1)))
    assert found[1:3] == (None, None)
    assert found.differing == 1
    assert found.more == 540


def test_a_statistic_that_is_undefined_in_many_draws_has_no_interval():
    columns = np.array([[1.0, one] for one in np.linspace(0, 1, 20)])
    shaky = Statistic(columns, lambda sums: np.where(sums[..., 1] < 9, np.nan, sums[..., 1] / sums[..., 0]), 20)
    assert bootstrap.estimate(shaky)[1:3] == (None, None)


def test_one_item_has_no_interval_and_none_no_value():
    one = Ratings.from_units([{"a": 1, "b": 2}])
    assert bootstrap.estimate(kappa.observed(one))[:4] == (0, None, None, 1)
    for units in ([{"a": 1}], []):
        found = bootstrap.estimate(alpha.nominal(Ratings.from_units(units)))
        assert found[:4] == (None, None, None, 0)
        assert (found.is_too_few, found.more, found.no_interval) == (False, None, "")
