"""A number with its interval: how it is kept, and what is said where it has none."""

from __future__ import annotations

import pytest

from annotation.statistics.estimates import Estimate


def test_what_was_kept_is_read_back_and_so_is_what_an_older_version_kept():
    found = Estimate(0.123456, 0.1, 0.2, 40, 12)
    assert Estimate.from_list(found.kept(5)) == (0.12346, 0.1, 0.2, 40, 12)
    assert Estimate.from_list([0.5, None, None, 32]) == (0.5, None, None, 32, None)
    assert Estimate.from_list(None) == (None, None, None, 0, None)


@pytest.mark.parametrize(
    ("n", "differing", "more"),
    [(60, 9, 7), (40, 3, 94), (200, 1, 1800), (123, 3, 290), (10, 9, 2), (20, 0, None), (20, None, None)],
)
def test_about_how_many_more_it_takes_is_what_it_took_so_far(n, differing, more):
    assert Estimate(0.5, None, None, n, differing).more == more


def test_in_words():
    assert Estimate(0.5, None, None, 200, 1).no_interval == "too few for an interval: about 1,800 more would do"
    assert Estimate(0.5, None, None, 20, 0).no_interval == "too few for an interval"
    assert Estimate(0.5, 0.4, 0.6, 20, 15).no_interval == ""
    assert Estimate(None, None, None, 0).no_interval == ""
