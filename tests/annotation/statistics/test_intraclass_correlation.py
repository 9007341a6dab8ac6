"""ICC(2,1): the table of Shrout and Fleiss, and gaps."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.statistics.bootstrap import estimate
from annotation.statistics.correlation import absolute_agreement
from annotation.statistics.reliability import round_ratings

SHROUT_FLEISS = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))
"""Table 2 of Shrout and Fleiss (1979): six targets, four judges; table 4 has the forms."""
SCALE = tuple(range(11))


def rated(table, questions=None):
    units = [{name: x for name, x in zip("abcdefgh", row, strict=False) if x is not None} for row in table]
    return round_ratings(units, range(len(units)) if questions is None else questions, SCALE)


def test_the_table_of_shrout_and_fleiss():
    found = absolute_agreement(rated(SHROUT_FLEISS))
    assert found.point == pytest.approx(0.29, abs=0.005)
    assert found.n == 6


def test_a_rater_who_is_always_one_higher_does_not_agree():
    table = [(x, x + 1) for x in range(1, 9)]
    assert absolute_agreement(rated(table)).point < 0.95


def test_it_is_of_exhibits_that_all_judged():
    gaps = [*SHROUT_FLEISS, (3, 4, None, None), (9, None, 2, 1)]
    assert absolute_agreement(rated(gaps)).point == pytest.approx(absolute_agreement(rated(SHROUT_FLEISS)).point)
    assert absolute_agreement(rated(gaps)).n == 6
    assert np.isnan(absolute_agreement(rated([(1, 2, None), (None, 3, 4), (5, None, 6)])).point)


def test_it_is_undefined_where_all_scores_are_the_same_and_1_where_all_raters_agree():
    assert np.isnan(absolute_agreement(rated([(3, 3)] * 12)).point)
    assert np.isnan(absolute_agreement(rated([])).point)
    assert absolute_agreement(rated([(x, x) for x in (1, 2, 3, 4, 7)])).point == pytest.approx(1)
    one = absolute_agreement(rated([(3, 3)] * 3 + [(5, 4)]))
    assert np.isnan(one.value(np.array([3, 1, 0, 0]) @ one.columns))


def test_its_interval_is_by_question():
    rng = np.random.default_rng(7)
    table = np.clip(rng.integers(1, 9, size=60)[:, None] + rng.integers(-1, 2, size=(60, 2)), 0, 10)
    many = np.repeat(table, 5, axis=0).tolist()
    alone, whole = (
        estimate(absolute_agreement(rated(many))),
        estimate(absolute_agreement(rated(many, np.repeat(range(60), 5)))),
    )
    assert (alone.n, whole.n) == (300, 60)
    assert whole.high - whole.low > 1.8 * (alone.high - alone.low)
