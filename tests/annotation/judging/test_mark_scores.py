"""The human score of what was judged, apart for each mark: means over marks, with intervals over items."""

from __future__ import annotations

import pytest

from annotation.judging.answer_metrics import scores_by_mark
from annotation.judging.results import GivenMark
from annotation.judging.rubrics import Mark, Rubric
from annotation.statistics.clustered_means import clustered_mean

RUBRIC = Rubric(title="Relation", asks="Which?", marks=tuple(Mark(key=key, title=key) for key in ("a", "b", "c")))


def given(*said):
    """(item, exhibit, mark) of each, by rater 1; by rater 2, 3 ... what a string of several marks says."""
    return [
        GivenMark(item, exhibit, rater, mark)
        for item, exhibit, marks in said
        for rater, mark in enumerate(marks, start=1)
    ]


def test_each_mark_has_the_mean_over_its_exhibits_and_the_last_is_over_all():
    marks = given((1, 10, "a"), (1, 11, "a"), (2, 20, "b"), (3, 30, "b"))
    found = scores_by_mark(RUBRIC, marks, {10: 2 / 3, 11: 1.0, 20: 0.0}, seed="1")
    assert list(found) == ["a", "b", ""]  # nothing was marked c
    assert [found[key].estimate.value for key in ("a", "b", "")] == pytest.approx([5 / 6, 0, 5 / 9])
    assert [found[key].n for key in ("a", "b", "")] == [2, 1, 3]  # exhibit 30 has no score
    assert (found["a"].estimate.n, found[""].estimate.n) == (1, 2)
    assert found[""].estimate.is_too_few


def test_raters_who_differ_put_a_score_under_both_marks():
    found = scores_by_mark(RUBRIC, given((1, 10, "aab"), (2, 20, "aaa")), {10: 0.5, 20: 1.0}, seed="1")
    assert found["a"].estimate.value == pytest.approx((2 * 0.5 + 3 * 1) / 5)
    assert found["b"].estimate.value == 0.5


def test_its_interval_draws_whole_items_as_other_means_of_people_do():
    scores = {item: (item % 7) / 6 for item in range(60)}
    marks = given(*((item // 2, item, "a" if item % 3 else "b") for item in range(60)))
    wanted = clustered_mean((item // 2, scores[item]) for item in range(60) if item % 3)
    found = scores_by_mark(RUBRIC, marks, scores, seed="7")["a"]
    assert found.estimate == wanted.figure(seed="7").estimate
    assert found.estimate.low < found.estimate.value < found.estimate.high


def test_nothing_with_a_score_has_no_means():
    assert scores_by_mark(RUBRIC, given((1, 10, "a")), {}, seed="1") == {}
