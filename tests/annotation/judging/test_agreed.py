"""What counts after a meeting, computed by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from annotation.judging.agreed import RIGHT, agreed_results, majority
from annotation.judging.results import GivenMark
from annotation.judging.rubrics import preset, spread_of

MARKS = [("C", "Correct", ""), ("Cd", "Debatable", ""), ("W", "Wrong", "")]
RUBRIC = preset("Three", "Right?", *MARKS, ordinal=True, right=("C", "Cd"))
NOMINAL = preset("Three", "Right?", *MARKS)


def given(*exhibits):
    """First marks, a string of them for each exhibit 0, 1, 2 ..."""
    return [
        GivenMark(exhibit, exhibit, rater, mark)
        for exhibit, marks in enumerate(exhibits)
        for rater, mark in enumerate(marks.split())
    ]


def bounds(found, name):
    """If none, and if all, of what is open has the mark."""
    share = found.shares()[name]
    return share.if_none.share.value, share.if_all.share.value


def test_a_unanimous_mark_counts_and_what_is_open_makes_two_bounds():
    found = agreed_results(RUBRIC, given("C C C", "C Cd W", "C C W", "W Cd C"), {1: "Cd", 2: "W"}, set())
    assert (found.exhibits, found.settled, found.open, found.consensus) == (4, 3, 1, 2)
    assert {key: bounds(found, key) for key in ("C", "Cd", "W")} == dict.fromkeys(("C", "Cd", "W"), (0.25, 0.5))
    assert bounds(found, RIGHT) == (0.5, 0.75)
    assert found.counts() == {"C": 1, "Cd": 1, "W": 1, RIGHT: 2}


def test_only_a_consensus_against_a_majority_is_a_change():
    found = agreed_results(RUBRIC, given("C C W", "C C W", "C Cd W", "C W"), {0: "W", 1: "C", 2: "W", 3: "W"}, set())
    assert (found.changed, found.compared) == (1, 2)  # three marks or a tie have no majority


def test_what_was_pulled_in_and_not_settled_is_open():
    found = agreed_results(RUBRIC, given("C C C", "W W W"), {}, {0})
    assert (found.settled, found.open) == (1, 1)
    assert bounds(found, "C") == (0, 0.5)


def test_with_everything_settled_both_bounds_are_the_same():
    found = agreed_results(RUBRIC, given("C C W", "W W W"), {0: "C"}, set())
    assert bounds(found, "C") == (0.5, 0.5)


def test_of_nothing_there_are_no_shares():
    found = agreed_results(RUBRIC, [], {}, set())
    assert (found.exhibits, bounds(found, "C")) == (0, (None, None))


@pytest.mark.parametrize(("marks", "expected"), [("C C W", "C"), ("C W", None), ("C C W W", None), ("W", "W")])
def test_a_majority_is_more_than_half(marks, expected):
    assert majority(Counter(marks.split())) == expected


@pytest.mark.parametrize(
    ("marks", "largest", "mean"), [("C C C", 0, 0), ("C Cd", 1, 1), ("C W", 2, 2), ("C C W", 2, 4 / 3), ("C", 0, 0)]
)
def test_the_spread_of_ordered_marks_counts_the_steps_between_them(marks, largest, mean):
    assert spread_of(RUBRIC, marks.split()) == (largest, mean)


def test_other_marks_differ_or_do_not():
    assert spread_of(NOMINAL, ["C", "W", "W"]) == (1, 2 / 3)
