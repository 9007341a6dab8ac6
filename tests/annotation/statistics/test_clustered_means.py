"""Means and shares of clustered values: Wilson where each cluster is one trial, else a bootstrap of clusters."""

from __future__ import annotations

import pytest

from annotation.statistics.clustered_means import (
    clustered_mean,
    clustered_shares,
    means_with_intervals,
    plain_values,
)
from annotation.statistics.intervals import wilson


def test_a_mean_is_of_all_values_and_counts_clusters_first():
    mean = clustered_mean([("a", 1), ("a", 2), ("b", 6)])
    assert (mean.value, mean.figure(seed="x").counts) == (3, (2, 3))
    assert clustered_mean([]) is None


def test_a_share_of_clusters_with_one_value_each_has_the_interval_of_wilson():
    one = clustered_mean((key, key < 3) for key in range(8)).figure(seed="x").estimate
    assert (one.value, one.low, one.high, one.n) == wilson(3, 8)


@pytest.mark.parametrize("said", [True, False])
def test_where_all_values_are_alike_each_cluster_is_one_trial(said):
    one = clustered_mean((key, said) for key in range(5) for _ in range(4)).figure(seed="x")
    assert (one.estimate[1:4], one.counts) == (wilson(5 * said, 5)[1:], (5, 20))


def test_a_mean_of_equal_numbers_is_no_share_and_has_no_interval():
    assert clustered_mean((key, 1) for key in range(40)).figure(seed="x").estimate.is_too_few


@pytest.mark.parametrize(("mixed", "has_one"), [(9, False), (10, True)])
def test_otherwise_ten_clusters_must_differ(mixed, has_one):
    """All but the mixed ones have a value of each kind."""
    values = [(key, said) for key in range(60) for said in ((True, True) if key < mixed else (True, False))]
    one = clustered_mean(values).figure(seed="x").estimate
    assert one.is_too_few is not has_one
    if has_one:
        assert one.low < one.value < one.high


def test_dependent_values_make_the_interval_as_wide_as_their_clusters_do():
    alike = clustered_mean((key, key % 2 == 0) for key in range(100) for _ in range(5)).figure(seed="x").estimate
    low, high = wilson(50, 100)[1:3]
    assert (alike.low, alike.high) == pytest.approx((low, high), abs=0.02)


def test_many_clusters_are_drawn_in_groups_and_give_about_the_same_interval():
    one = clustered_mean((key, key % 2 == 0) for key in range(2000) for _ in range(2)).figure(seed="x")
    assert one.counts == (2000, 4000)
    assert (one.estimate.low, one.estimate.high) == pytest.approx(wilson(1000, 2000)[1:3], abs=0.006)


def test_figures_in_groups_give_plain_values_and_intervals_by_their_names():
    shares = clustered_shares([(1, "a"), (1, "b"), (2, "a")], ["a", "b", "c"])
    figures = {"n": 3, "kinds": shares, "none": None, "empty": clustered_shares([], ["a"])}
    plain = {"n": 3, "kinds": {"a": 2 / 3, "b": 1 / 3, "c": 0}, "none": None, "empty": None}
    assert plain_values(figures) == plain
    assert set(means_with_intervals(figures, seed="x")) == {"kinds.a", "kinds.b", "kinds.c"}
