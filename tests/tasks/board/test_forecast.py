"""When the rest will be done follows from the pace of the last seven days, with an interval from drawing days."""

from __future__ import annotations

import pytest

from tasks.board.forecast import forecast


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
