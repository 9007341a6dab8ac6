"""Shares of marks, of consensus with what was not settled, of two systems, and of a rater who sees exhibits again."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from annotation.statistics.clustered_means import paired_systems, self_consistency
from annotation.statistics.intervals import wilson
from annotation.statistics.marks import consensus_shares, shares_of_marks

NQ = {"C": ["C"], "Cd": ["Cd"], "W": ["W"], "Psi": ["C", "Cd"]}
LEAST, LEAST_OF_MANY, MEAN = 0.8429, 0.9169, 0.95
"""Wilson's cover for n of 10 to 500 and shares of .01 to .99: the least is that of n = 17 and .01; from n = 100 on
it is .9169. The mean over shares is .9476 to .9553. Brown, Cai and DasGupta (2001) describe the dips near 0 and 1."""


def numbered(**counts):
    marks = [mark for mark, n in counts.items() for _ in range(n)]
    return list(enumerate(marks))


def test_the_139_long_answers_of_natural_questions():
    """C 59, Cd 31, W 10, Psi 90 percent."""
    found = shares_of_marks(numbered(C=82, Cd=43, W=14), NQ)
    assert {name: round(100 * share.share.value) for name, share in found.items()} == {
        "C": 59,
        "Cd": 31,
        "W": 10,
        "Psi": 90,
    }
    assert found["Psi"].wilson == wilson(125, 139)
    assert (found["Psi"].share.low, found["Psi"].share.high) == pytest.approx(wilson(125, 139)[1:3], abs=0.02)
    assert shares_of_marks([], NQ)["Psi"].share.value is None


def test_several_marks_of_a_question_are_drawn_together():
    marks = [(question, "C" if question % 2 else "W") for question in range(100) for _rater in range(4)]
    one = shares_of_marks(marks, NQ)["C"].share
    low, high = wilson(50, 100)[1:3]
    assert (one.low, one.high) == pytest.approx((low, high), abs=0.02)


def test_what_is_not_settled_counts_for_none_or_for_all():
    settled = [*numbered(C=6, W=2), (8, None), (9, None)]
    found = consensus_shares(settled, NQ)
    assert (found["C"].if_none.share.value, found["C"].if_all.share.value, found["C"].unsettled) == (0.6, 0.8, 2)
    assert (found["W"].if_none.share.value, found["W"].if_all.share.value) == (0.2, 0.4)
    whole = consensus_shares(settled[:8], NQ)["C"]
    assert (whole.if_none, whole.unsettled) == (whole.if_all, 0)
    assert consensus_shares([], NQ)["C"].if_all.share.value is None


def cover_of_wilson(n):
    """For shares .01 to .99, how often the interval contains the share: the sum of what is possible."""
    low, high = np.array([wilson(part, n)[1:3] for part in range(n + 1)]).T[:, :, None]
    share = np.arange(1, 100) / 100
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, share)
    return (chance * ((low <= share) & (share <= high))).sum(axis=0)


@pytest.mark.parametrize("n", [10, 17, 20, 50, 100, 139, 200, 500, 102])
def test_wilsons_interval_contains_the_share_by_enumeration(n):
    found = cover_of_wilson(n)
    assert found.min() > LEAST
    assert abs(found.mean() - MEAN) < 0.006
    assert n < 100 or found.min() > LEAST_OF_MANY


@pytest.mark.parametrize(("part", "n"), [(0, 7), (3, 10), (59, 139), (500, 500)])
def test_wilsons_interval_is_that_of_scipy(part, n):
    low, high = stats.binomtest(part, n).proportion_ci(method="wilson")
    assert wilson(part, n)[1:3] == pytest.approx((low, high))


def test_two_systems_are_compared_question_by_question():
    one = [("a", 5), ("b", 4), ("b", 2), ("c", 1), ("d", 2), ("only here", 5)]
    other = [("a", 3), ("b", 3), ("c", 2), ("d", 1), ("elsewhere", 1)]
    found = paired_systems(one, other)
    assert found.difference.value == pytest.approx((2 + 0 - 1 + 1) / 4)
    assert (found.better.value, found.worse.value, found.equal.value) == (0.5, 0.25, 0.25)
    assert found.better.figure(seed="x").estimate[1:3] == wilson(2, 4)[1:3]
    assert found.difference.figure(seed="x").estimate.is_too_few
    assert paired_systems([("a", 1)], [("b", 1)]) is None


def test_the_interval_of_a_paired_difference_is_about_students():
    differences = [(question % 7) - 2 for question in range(140)]
    found = paired_systems(((q, d + q % 5) for q, d in enumerate(differences)), ((q, q % 5) for q in range(140)))
    one = found.difference.figure(seed="x").estimate
    expected = stats.ttest_1samp(differences, 0).confidence_interval()
    assert (one.low, one.high) == pytest.approx((expected.low, expected.high), abs=0.05)


def test_a_rater_is_compared_with_themselves():
    again = [(1, 1, 1), (2, 3, 5), (3, 4, 3), (3, 2, 2)]
    found = self_consistency(again, scores=range(1, 6))
    assert (found.same.value, found.apart.value) == (0.5, 0.75)
    assert found.apart.figure(seed="x").counts == (3, 4)
    nominal = self_consistency([(1, "C", "C"), (2, "C", "W")])
    assert (nominal.same.value, nominal.apart) == (0.5, None)
    assert self_consistency([]) is None
