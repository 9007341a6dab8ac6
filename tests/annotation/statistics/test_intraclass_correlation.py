"""ICC: the table of Shrout and Fleiss, analysis of variance by scipy, and gaps worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from annotation.statistics.bootstrap import estimate
from annotation.statistics.intraclass_correlation import absolute_agreement, consistency, one_way
from annotation.statistics.reliability import round_ratings

SHROUT_FLEISS = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))
"""Table 2 of Shrout and Fleiss (1979): six targets, four judges; table 4 has the forms."""
SCALE = tuple(range(11))


def rated(table, questions=None):
    units = [{name: x for name, x in zip("abcdefgh", row, strict=False) if x is not None} for row in table]
    return round_ratings(units, range(len(units)) if questions is None else questions, SCALE)


@pytest.mark.parametrize(
    ("form", "single", "average"), [(one_way, 0.17, 0.44), (absolute_agreement, 0.29, 0.62), (consistency, 0.71, 0.91)]
)
def test_the_table_of_shrout_and_fleiss(form, single, average):
    assert form(rated(SHROUT_FLEISS)).point == pytest.approx(single, abs=0.005)
    assert form(rated(SHROUT_FLEISS), average=True).point == pytest.approx(average, abs=0.005)
    assert form(rated(SHROUT_FLEISS)).n == 6


@pytest.mark.parametrize("seed", range(3))
def test_one_way_follows_from_the_f_of_scipy(seed):
    """(F - 1) / (F + k - 1)."""
    table = np.random.default_rng(seed).integers(0, 11, size=(40, 3))
    f = stats.f_oneway(*table).statistic
    assert one_way(rated(table.tolist())).point == pytest.approx((f - 1) / (f + 2))


def test_with_other_numbers_of_raters_k_is_k0():
    """Exhibits 1 3 | 4 5 6 | 8 9 and one that a single rater judged, which does not count."""
    found = one_way(rated([(1, 3), (4, 5, 6), (8, 9), (2,)]))
    f = stats.f_oneway([1, 3], [4, 5, 6], [8, 9]).statistic
    k0 = (7 - (4 + 9 + 4) / 7) / 2
    assert found.point == pytest.approx((f - 1) / (f + k0 - 1))
    assert found.n == 3


def test_a_rater_who_is_always_one_higher_is_consistent_but_does_not_agree():
    table = [(x, x + 1) for x in range(1, 9)]
    assert consistency(rated(table)).point == pytest.approx(1)
    assert absolute_agreement(rated(table)).point < 0.95


def test_the_two_way_forms_are_of_exhibits_that_all_judged():
    gaps = [*SHROUT_FLEISS, (3, 4, None, None), (9, None, 2, 1)]
    for form in (absolute_agreement, consistency):
        assert form(rated(gaps)).point == pytest.approx(form(rated(SHROUT_FLEISS)).point)
        assert form(rated(gaps)).n == 6
        assert np.isnan(form(rated([(1, 2, None), (None, 3, 4), (5, None, 6)])).point)


@pytest.mark.parametrize("form", [one_way, absolute_agreement, consistency])
def test_it_is_undefined_where_all_scores_are_the_same_and_1_where_all_raters_agree(form):
    assert np.isnan(form(rated([(3, 3)] * 12)).point)
    assert np.isnan(form(rated([])).point)
    assert form(rated([(x, x) for x in (1, 2, 3, 4, 7)])).point == pytest.approx(1)
    one = form(rated([(3, 3)] * 3 + [(5, 4)]))
    assert np.isnan(one.value(np.array([3, 1, 0, 0]) @ one.columns))


@pytest.mark.parametrize("form", [one_way, absolute_agreement, consistency])
def test_its_interval_is_by_question(form):
    rng = np.random.default_rng(7)
    table = np.clip(rng.integers(1, 9, size=60)[:, None] + rng.integers(-1, 2, size=(60, 2)), 0, 10)
    many = np.repeat(table, 5, axis=0).tolist()
    alone, whole = estimate(form(rated(many))), estimate(form(rated(many, np.repeat(range(60), 5))))
    assert (alone.n, whole.n) == (300, 60)
    assert whole.high - whole.low > 1.8 * (alone.high - alone.low)
