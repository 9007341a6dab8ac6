"""Percentiles lie between the nearest values, and a mean has its interval."""

from __future__ import annotations

import pytest

from tasks.board.stage_times import distribution, percentile


def test_percentiles_lie_between_the_nearest_values():
    assert [percentile([10, 20, 30, 40, 50], share) for share in (0, 10, 25, 50, 100)] == [10, 14, 20, 30, 50]
    assert percentile([7], 90) == 7


def test_a_mean_has_a_normal_interval_and_one_value_has_none():
    found = distribution([60, 80, 100])
    assert (found["mean"], found["median"]) == (80, 80)
    assert found["mean_high"] - 80 == 80 - found["mean_low"] == pytest.approx(1.96 * 20 / 3**0.5, abs=0.01)
    assert distribution([60])["mean_low"] is None
