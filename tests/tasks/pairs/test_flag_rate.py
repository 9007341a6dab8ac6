"""The posterior of valid flags per turn, against closed forms and printed tables."""

from __future__ import annotations

from math import exp, log

import pytest

from annotation.statistics.flag_rate import rate, reliability, typical


def test_an_author_without_decided_flags_is_as_reliable_as_all_together():
    assert reliability(0, 0, all_upheld=3, all_dismissed=1) == pytest.approx(4 / 6)
    assert reliability(0, 0, all_upheld=0, all_dismissed=0) == pytest.approx(1 / 2)


def test_decided_flags_of_their_own_weigh_against_two_of_all():
    # m = 4/6: a = 4/3, b = 2/3; one upheld: (4/3 + 1) / 3, three dismissed: (4/3) / 5
    assert reliability(1, 0, all_upheld=3, all_dismissed=1) == pytest.approx(7 / 9)
    assert reliability(0, 3, all_upheld=3, all_dismissed=1) == pytest.approx(4 / 15)


def test_the_rate_of_a_project_is_one_in_a_hundred_until_something_is_known():
    assert typical(0, 0) == pytest.approx(0.01)
    assert typical(7.5, 300) == pytest.approx(8.5 / 400)


def test_somebody_without_a_flag_has_an_exponential_posterior():
    found = rate([], turns=50, typical=0.02)  # Gamma(1, 100)
    assert (found.mean, found.low, found.high) == pytest.approx((0.01, -log(0.975) / 100, -log(0.025) / 100))


@pytest.mark.parametrize(
    ("valid", "low", "high"),
    # The 2.5 % and 97.5 % points of chi-square with 2 (1 + valid) degrees of freedom, as tables print them.
    [(0, 0.0506, 7.378), (2, 1.237, 14.449), (9, 9.591, 34.170), (49, 74.222, 129.561)],
)
def test_with_decided_flags_only_the_ends_are_those_of_chi_square(valid, low, high):
    found = rate([1.0] * valid, turns=50, typical=0.02)  # Gamma(1 + valid, 100): chi-square / 200
    assert found.mean == pytest.approx((1 + valid) / 100)
    assert (200 * found.low, 200 * found.high) == pytest.approx((low, high), abs=0.0006)


def test_an_undecided_flag_counts_with_its_chance():
    found = rate([0.5], turns=50, typical=0.02)
    assert found.mean == pytest.approx(0.015)

    def below(value):  # half Gamma(1, 100), half Gamma(2, 100)
        return 1 - exp(-100 * value) * (1 + 50 * value)

    assert (below(found.low), below(found.high)) == pytest.approx((0.025, 0.975))


def test_two_undecided_flags_are_a_mixture_of_three_numbers():
    found = rate([0.5, 0.2], turns=50, typical=0.02)
    assert found.mean == pytest.approx(0.017)

    def below(value):  # 0, 1 or 2 are valid with 0.4, 0.5, 0.1
        t = 100 * value
        return 1 - exp(-t) * (0.4 + 0.5 * (1 + t) + 0.1 * (1 + t + t * t / 2))

    assert (below(found.low), below(found.high)) == pytest.approx((0.025, 0.975))


def test_a_dismissed_flag_is_as_if_it_had_not_been_made():
    assert rate([0.0, 1.0], turns=20, typical=0.01) == rate([1.0], turns=20, typical=0.01)


def test_more_turns_narrow_the_interval_around_the_observed_rate():
    few, many = rate([1.0], turns=50, typical=0.01), rate([1.0] * 40, turns=2000, typical=0.01)
    assert many.mean == pytest.approx(41 / 2100)
    assert few.low < many.low < 0.02 < many.high < few.high
