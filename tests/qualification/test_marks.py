"""Points and marks are exact: what equals the mark passes, and what is shown never says more than was reached."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.values.records import Step
from annotation.values.scores import Part, Score
from qualification.marks import BlockPoints, item_points

TENTH = Fraction(1, 10)


def scores(**points):
    return [Score(Step("answer"), Part(key, key.capitalize()), Fraction(each)) for key, each in points.items()]


def block(*points):
    return BlockPoints.from_items(map(Fraction, points))


def test_the_points_of_an_item_are_the_mean_of_its_scores():
    assert item_points(scores(answer="2/3", evidence="1/2", answerable=1)) == Fraction(13, 18)
    assert item_points(scores(answer=1)) == 1


def test_parts_count_by_their_weight():
    graded = scores(answer=1, evidence=0, answerable="1/2")
    assert item_points(graded, {"answer": 3}) == Fraction(7, 10)
    assert item_points(graded, {"answer": Decimal("0.5"), "evidence": Decimal("0.5"), "answerable": 0}) == Fraction(
        1, 2
    )
    assert item_points(graded, {"another": 5}) == Fraction(1, 2)


def test_each_turn_has_the_weight_of_its_part():
    turns = [*scores(answer=1, rationale=0), *scores(answer=0, rationale=0), *scores(answer=1)]
    assert item_points(turns, {"answer": 2}) == Fraction(4, 8)


def test_an_item_without_scores_has_no_points():
    assert item_points([]) == 0
    assert item_points(scores(answer=1), {"answer": 0}) == 0
    with pytest.raises(ValueError, match="negative"):
        item_points(scores(answer=1), {"answer": -1})


def test_a_block_has_the_sum_of_its_items():
    assert block("1", "2/3", "1/3", "0") == BlockPoints(Fraction(2), 4)
    assert block() == BlockPoints(Fraction(0), 0)


@pytest.mark.parametrize(
    ("points", "mark", "passed"),
    [
        (["1/2", "1/2"], 1, True),
        (["1/2", "1/3"], 1, False),
        (["1/2"] * 2, Fraction(1, 2) * 2, True),
        ([TENTH] * 7 + [0] * 3, Decimal("0.7"), True),  # in floats, seven tenths are less than 0.7
        ([TENTH] * 6 + [0] * 4, Decimal("0.7"), False),
        (["7/10"] * 10, Fraction(7, 10) * 10, True),
        (["7/10"] * 9 + ["699999/1000000"], Fraction(7, 10) * 10, False),
        (["1/3"] * 3, 1, True),
        (["2/3"] * 6, 4, True),
        ([1] * 6, 6, True),
        ([0] * 6, 0, True),
        ([], 0, True),
    ],
)
def test_what_equals_the_mark_passes(points, mark, passed):
    assert block(*points).reach(mark) is passed


@pytest.mark.parametrize(
    ("points", "digits", "shown"),
    [
        (["4.6"], 1, "4.6"),
        (["4.59"], 1, "4.5"),
        (["2/3"], 2, "0.66"),
        (["1/3"] * 3, 1, "1.0"),
        ([1] * 6, 0, "6"),
        (["0.04"], 1, "0.0"),
    ],
)
def test_points_are_shown_with_few_digits(points, digits, shown):
    assert str(block(*points).rounded_down(digits)) == shown


POINTS = st.fractions(min_value=0, max_value=1, max_denominator=1000)


@settings(max_examples=40)
@given(st.lists(POINTS, max_size=12), st.decimals(0, 12, places=1))
def test_what_is_shown_reaches_a_mark_exactly_if_the_points_do(points, mark):
    found = block(*points)
    assert found.reach(mark) == (found.rounded_down() >= mark)
    assert 0 <= found.points <= found.of == len(points)


@settings(max_examples=40)
@given(st.lists(POINTS, min_size=1, max_size=8), st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_the_points_of_an_item_lie_between_those_of_its_parts(points, weights):
    graded = scores(**{f"p{place}": each for place, each in enumerate(points)})
    weighed = [each for each, weight in zip(points, weights, strict=False) if weight] or [Fraction(0)]
    found = item_points(graded, {f"p{place}": weight for place, weight in enumerate(weights)})
    assert min(weighed) <= found <= max(weighed)
