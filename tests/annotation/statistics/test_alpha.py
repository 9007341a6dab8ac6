"""Krippendorff's alpha: his worked example, the package of that name, and sets worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import krippendorff
import numpy as np
import pytest

from annotation.statistics import alpha
from annotation.statistics.ratings import Ratings
from tests.annotation.statistics.published import KRIPPENDORFF, made_up, of_rows, units_of

MEASURES = {"nominal": alpha.nominal, "ordinal": alpha.ordinal, "interval": alpha.interval}


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_worked_example_of_krippendorff(level, value):
    found = MEASURES[level](of_rows(KRIPPENDORFF))
    assert found.point == pytest.approx(value, abs=5e-4)
    assert found.n == 11  # the last item has a single value


@pytest.mark.parametrize("level", MEASURES)
@pytest.mark.parametrize("seed", range(5))
def test_it_equals_the_package_on_values_with_gaps(level, seed):
    said = made_up(seed)
    table = [[np.nan if value is None else value for value in row] for row in said]
    expected = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
    assert MEASURES[level](Ratings.from_units(units_of(said))).point == pytest.approx(expected)


def by_hand(units, distance):
    """Alpha by its definition, over all ordered pairs."""
    kept = [list(unit.values()) for unit in units if len(unit) > 1]
    values = [value for unit in kept for value in unit]
    n = len(values)
    within = sum(distance(a, b) / (len(unit) - 1) for unit in kept for a, b in permutations(unit, 2)) / n
    between = sum(distance(a, b) for a, b in permutations(values, 2)) / (n * (n - 1))
    return 1 - within / between


def pair_distances(units, distance):
    pairs = [combinations(unit.values(), 2) for unit in units]
    return np.array([distance(a, b) for pair in pairs for a, b in pair])


@pytest.mark.parametrize("distance", [alpha.jaccard, alpha.masi])
def test_sets_have_the_alpha_of_the_definition(distance):
    said = [("ab", "ab", "b"), ("", "a", ""), ("abc", "bc", "cd"), ("a", "a", "a"), ("", "", "bd")]
    units = [{str(place): frozenset(text) for place, text in enumerate(row)} for row in said]
    ratings = Ratings.from_units(units)
    shared = np.array([[distance(a, b) for b in ratings.categories] for a in ratings.categories])
    found = alpha.by_distance(ratings, shared, pair_distances(units, distance))
    assert found.point == pytest.approx(by_hand(units, distance))


@pytest.mark.parametrize("distance", [alpha.jaccard, alpha.masi])
def test_sets_of_an_items_own_parts_share_nothing_with_those_of_other_items(distance):
    said = [("ab", "ab", "b"), ("", "a", ""), ("abc", "bc", "cd"), ("a", "a"), ("", "", "bd")]
    units = [{str(place): frozenset(text) for place, text in enumerate(row)} for row in said]
    named = [{who: frozenset((n, x) for x in value) for who, value in unit.items()} for n, unit in enumerate(units)]
    ratings = Ratings.from_units(units, categories=(frozenset(),))
    found = alpha.by_distance(ratings, np.zeros((1, 1)), pair_distances(units, distance))
    assert found.point == pytest.approx(by_hand(named, distance))


def test_boxes_of_one_item_are_not_those_of_another():
    units = [{"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 0}, {"a": 0, "b": 0}]
    named = [{who: (n, value) if value else 0 for who, value in unit.items()} for n, unit in enumerate(units)]
    expected = by_hand(named, lambda a, b: float(a != b))
    assert alpha.nominal(Ratings.from_units(units, categories=(0,))).point == pytest.approx(expected)


def test_masi_weighs_a_subset_two_thirds_and_a_mere_overlap_one_third():
    assert alpha.masi({1, 2}, {1, 2}) == alpha.masi(set(), set()) == 0
    assert 1 - alpha.masi({1}, {1, 2}) == pytest.approx(float(Fraction(1, 2) * Fraction(2, 3)))
    assert 1 - alpha.masi({1, 2}, {2, 3}) == pytest.approx(float(Fraction(1, 3) * Fraction(1, 3)))
    assert alpha.masi({1}, {2}) == alpha.masi(set(), {2}) == 1


def test_jaccard_is_the_share_of_what_both_have():
    assert alpha.jaccard({1, 2, 3}, {2, 3, 4}) == pytest.approx(0.5)
    assert alpha.jaccard(set(), set()) == 0
    assert alpha.jaccard(set(), {1}) == 1


def test_alpha_is_undefined_without_variation():
    same = Ratings.from_units([{"a": 1, "b": 1}, {"a": 1, "b": 1}])
    assert all(np.isnan(measure(same).point) for measure in MEASURES.values())
