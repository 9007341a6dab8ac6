"""When the rest will be done follows from the pace of the last seven days, with an interval by how these differ."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tasks.board.forecast import ENOUGH, forecast


def test_a_steady_pace_gives_one_day():
    found = forecast([10] * 7, 88)
    assert (found.pace, found.days, found.low, found.high) == (10, 9, 9, 9)


def test_days_that_differ_give_an_interval_around_it():
    found = forecast([0, 0, 22, 25, 18, 30, 24], 170)
    assert found.pace == 17
    assert found.low < found.days == 10 < found.high
    assert forecast([0, 0, 22, 25, 18, 30, 24], 170) == found


def test_only_the_last_seven_days_count():
    assert forecast([500, *[10] * 7], 50) == forecast([10] * 7, 50)


def test_where_work_may_stop_the_interval_is_open():
    assert forecast([0, 0, 0, 0, 0, 0, 5], 50).high is None


@pytest.mark.parametrize(("done", "left"), [([], 5), ([9], 5), ([0] * 7, 5), ([9] * 7, 0)])
def test_without_a_pace_or_a_rest_there_is_none(done, left):
    assert forecast(done, left) is None


def test_the_interval_of_the_pace_is_student_s():
    found = forecast([10, 20, 30, 40], 100)
    half = 3.1824 * 12.9099 / 2
    assert (found.pace, found.days) == (25, 4)
    assert (found.low, found.high) == (math.ceil(100 / (25 + half)), math.ceil(100 / (25 - half)))


def test_fewer_than_four_days_give_no_interval():
    few, enough = forecast([9] * (ENOUGH - 1), 90), forecast([9] * ENOUGH, 90)
    assert (few.days, few.low, few.high) == (10, None, None)
    assert (enough.low, enough.high) == (10, 10)


@pytest.mark.parametrize("days", [4, 5, 6, 7])
@pytest.mark.parametrize("mean", [5, 20, 100])
def test_the_interval_contains_the_true_number_of_days_in_19_of_20_cases(days, mean):
    """Tasks are done independently here; where days hang together, it contains it less often (docs/board.md)."""
    rng, left, inside = np.random.default_rng(28), 1000, 0
    for done in rng.poisson(mean, size=(2000, days)):
        if found := forecast(done.tolist(), left):
            inside += found.low <= math.ceil(left / mean) <= (math.inf if found.high is None else found.high)
    assert inside / 2000 >= 0.94
