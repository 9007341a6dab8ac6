"""Intervals of figures: a BCa bootstrap that draws whole clusters."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest

from annotation.statistics import bootstrap
from annotation.statistics.intervals import f1_estimate, intervals, ratio_estimate

MEAN = {"mean": ratio_estimate(0, 1)}


def mean(clusters, **how):
    rows = [(float(sum(cluster)), float(len(cluster))) for cluster in clusters]
    return intervals(rows, MEAN, seed="a seed", **how)["mean"]


def test_the_worked_example_of_a_mean_over_clusters(shared):
    """Ten clusters of a few answers: fewer than ten of them differ, so the mean has no interval."""
    example = json.loads((shared / "scored" / "statistics.json").read_bytes())["cluster_bootstrap"]
    found = mean(example["clusters"])
    assert found.value == pytest.approx(example["point"], abs=1e-12)
    assert (found.n, found.is_too_few) == (10, True)
    twice = mean(example["clusters"] * 2, draws=20000)
    reach = bootstrap.expanded(0.95, twice.differing) / 1.96
    width = (example["interval"][1] - example["interval"][0]) / sqrt(2) * reach
    assert twice.high - twice.low == pytest.approx(width, rel=0.1)


def test_of_many_independent_answers_it_is_the_normal_interval():
    """A mean of 2,000 answers, 40 % of them 1: 0.4 plus or minus 1.96 standard errors of 0.011."""
    found = mean([[1.0]] * 800 + [[0.0]] * 1200)
    error = 1.96 * sqrt(0.4 * 0.6 / 2000)
    assert [found.low, found.high] == pytest.approx([0.4 - error, 0.4 + error], abs=0.003)


def test_answers_about_the_same_thing_widen_it():
    alone = mean([[1.0]] * 200 + [[0.0]] * 200)
    together = mean([[1.0] * 10] * 20 + [[0.0] * 10] * 20)
    assert together.value == alone.value == 0.5
    assert together.high - together.low > 2.5 * (alone.high - alone.low)


def test_precision_recall_and_f1_are_ratios_of_the_same_sums():
    rows = [(1.0, 1.0, 1.0), (0.0, 1.0, 1.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)] * 10
    found = intervals(rows, {"p": ratio_estimate(0, 1), "r": ratio_estimate(0, 2), "f1": f1_estimate(0, 1, 2)}, seed="")
    p, r = found["p"].value, found["r"].value
    assert (p, r) == (2 / 3, 1 / 2)
    assert found["f1"].value == pytest.approx(2 * p * r / (p + r))
    assert 0 <= found["f1"].low < found["f1"].value < found["f1"].high <= 1


def test_what_has_nothing_to_measure_is_absent():
    found = intervals([(1.0, 1.0, 0.0), (0.0, 0.0, 0.0)], MEAN | {"never": ratio_estimate(0, 2)}, seed="")
    assert "never" not in found
    assert found["mean"][:4] == (1.0, None, None, 2)
    assert intervals([], MEAN, seed="") == {}


def test_what_is_undefined_without_any_one_of_its_clusters_has_no_interval():
    rows = [tuple(map(float, row)) for row in np.eye(12)]
    figure = {"all": lambda totals: np.where(totals.min(axis=0) > 0, totals[0], np.nan)}
    assert intervals(rows, figure, seed="")["all"][:3] == (1, None, None)


def test_many_clusters_whose_sums_repeat_have_the_same_interval_as_few_of_each_kind():
    """Beyond 500 clusters their distinct rows are drawn; 500 and 501 of them have nearly the same interval."""
    rows = [(float(n % 4 > 0), 1.0) for n in range(500)]
    few, many = (intervals(some, MEAN, seed="a")["mean"] for some in (rows, [*rows, (1.0, 1.0)]))
    assert [many.low, many.high] == pytest.approx([few.low, few.high], abs=0.01)


def test_a_single_cluster_has_no_interval():
    assert mean([[1.0, 0.0]])[:4] == (0.5, None, None, 1)


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    rows = [(float(n % 3 == 0), 1.0) for n in range(50)]
    first, again, other = (intervals(rows, MEAN, seed=seed)["mean"] for seed in ("a", "a", "b"))
    assert first == again
    assert first.value == other.value
    assert (first.low, first.high) != (other.low, other.high)
