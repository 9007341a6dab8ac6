"""Scores against references: similarities as fractions, the best reference, short quotations, grading by default."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.protocol import Activity, Protocol, Stage
from annotation.values.records import AnnotationRecord, GivenAnswer, Step
from annotation.values.scores import (
    LONGEST_QUOTE,
    NOTHING,
    WHOLE,
    Part,
    Score,
    best_scores,
    points_of_similarity,
    quotation,
)

PART = Part("part", "Part")


class Numbers(Protocol):
    """Annotations are numbers, and alike as far as they are near."""

    key = "numbers"
    activities = (
        Activity(
            key="count",
            title="Count",
            description="Count.",
            kind="thing",
            stages=tuple(Stage(key, key, f"numbers.{key}/1", None) for key in ("look", "number")),
            minutes=1,
        ),
    )

    def compare(self, activity, a, b):
        one, other = (each.answers[-1].payload if each.answers else None for each in (a, b))
        return 1.0 if one == other else 0.0 if None in (one, other) else 1 / (1 + abs(one - other))


def number(value):
    return AnnotationRecord("count", (GivenAnswer("number", value),))


def scores(*points):
    return tuple(Score(Step("number"), PART, Fraction(each)) for each in points)


def test_without_a_grade_of_its_own_a_protocol_gives_the_similarity_to_the_most_alike_reference():
    [score] = Numbers().grade("count", None, number(5), [number(9), number(7), number(8)])
    assert (score.step, score.part, score.points) == (Step("number"), WHOLE, Fraction(1, 3))
    assert (score.said, score.wanted) == (NOTHING, NOTHING)


def test_work_without_an_answer_has_nothing_even_where_the_reference_has_none_either():
    empty = AnnotationRecord("count", ())
    assert Numbers().compare("count", empty, empty) == 1
    assert [score.points for score in Numbers().grade("count", None, empty, [empty, number(1)])] == [0]


def test_without_references_there_are_no_scores():
    assert Numbers().grade("count", None, number(1), ()) == ()
    assert best_scores(()) == ()


def test_the_best_reference_is_the_one_with_the_most_points_in_all_and_the_first_of_equal_ones():
    worst, first, second = scores("0.9", 0), scores("0.5", "0.5"), scores("1/3", "2/3")
    assert best_scores([worst, first, second]) is first
    assert best_scores([worst, second, first]) is second


@pytest.mark.parametrize(
    ("similarity", "points"),
    [(0.7, Fraction(7, 10)), (2 / 3, Fraction(2, 3)), (1.0, 1), (0.0, 0), (0.1 + 0.2, Fraction(3, 10))],
)
def test_a_similarity_is_read_as_the_fraction_that_it_was(similarity, points):
    assert points_of_similarity(similarity) == points


@given(st.integers(1, 700).flatmap(lambda below: st.tuples(st.integers(0, below), st.just(below))))
def test_every_fraction_of_small_numbers_comes_back(ratio):
    above, below = ratio
    assert points_of_similarity(above / below) == Fraction(above, below)


def test_a_quotation_is_one_short_line():
    assert quotation("  two\nlines ", "", "and more") == ("two lines … and more", True)
    assert quotation("", " \n") == NOTHING
    whole = quotation("x" * LONGEST_QUOTE)
    assert whole.text == "x" * LONGEST_QUOTE
    cut = quotation("x" * (LONGEST_QUOTE + 1))
    assert (len(cut.text), cut.text[-1]) == (LONGEST_QUOTE, "…")
    assert str(cut) == cut.text
