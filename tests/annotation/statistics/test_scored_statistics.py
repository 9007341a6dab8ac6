"""Published worked examples and values of independent libraries, from the scored cases of the shared data."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from annotation.statistics import alpha, bootstrap, dawid_skene, kappa
from annotation.statistics.ratings import Ratings, Statistic
from tests.annotation.statistics.published import of_counts, of_two, units_of

EXACT = 1e-9


@pytest.fixture(scope="module")
def cases(shared):
    return json.loads((shared / "scored" / "statistics.json").read_text())


def test_fleiss(cases):
    assert cases["fleiss_kappa"]
    for case in cases["fleiss_kappa"]:
        ratings = of_counts(tuple(map(tuple, case["counts"])))
        assert kappa.fleiss(ratings).point == pytest.approx(case["verified"]["kappa"], abs=EXACT)
        assert kappa.observed(ratings).point == pytest.approx(case["verified"]["P_bar"], abs=EXACT)


def test_cohen(cases):
    tables = [(case["table"], case["verified"]["kappa"]) for case in cases["cohen_kappa"]]
    first, second = cases["weighted_kappa"]
    tables += [(first["table"], first["verified"]["kappa"]), (second["table"], second["verified"]["unweighted"])]
    for table, expected in tables:
        assert kappa.cohen(of_two(table)).point == pytest.approx(expected, abs=EXACT)


def test_krippendorff(cases):
    measures = {"nominal": alpha.nominal, "ordinal": alpha.ordinal, "interval": alpha.interval}
    checked = 0
    for case in cases["krippendorff_alpha"]:
        ratings = Ratings.from_units(units_of(case["reliability_data"]))
        for level in measures.keys() & case["verified"].keys():
            assert measures[level](ratings).point == pytest.approx(case["verified"][level], abs=EXACT)
            checked += 1
    assert checked == 5


def test_sets(cases):
    case = cases["set_agreement"]
    for name, distance in (("jaccard", alpha.jaccard), ("masi", alpha.masi)):
        for pair in case["pairs"]:
            found = distance(frozenset(pair["a"]), frozenset(pair["b"]))
            assert found == pytest.approx(pair[f"{name}_distance"], abs=EXACT)
        units = [{who: frozenset(value) for who, value in unit.items()} for unit in case["units"].values()]
        ratings = Ratings.from_units(units)
        shared = np.array([[distance(a, b) for b in ratings.categories] for a in ratings.categories])
        pairs = np.array([distance(a, b) for unit in units for a, b in combinations(unit.values(), 2)])
        found = alpha.by_distance(ratings, shared, pairs)
        assert found.point == pytest.approx(case["krippendorff_alpha"][name], abs=EXACT)


def test_dawid_and_skene(cases):
    case = cases["dawid_skene"]
    rows = [
        (item, observer - 1, rating - 1)
        for item, ratings in enumerate(case["ratings"])
        for observer, rating in zip(case["observers"], ratings, strict=True)
    ]
    found = dawid_skene.fit(*np.array(rows).T, k=4, tolerance=1e-15)
    verified = case["verified"]
    assert found.shares == pytest.approx(verified["marginals"], abs=1e-6)
    assert found.confusion == pytest.approx(np.array(verified["error_rates"]), abs=1e-6)
    assert found.classes == pytest.approx(np.array(verified["class_probabilities"]), abs=1e-6)


def test_wilson(cases):
    assert cases["wilson_interval"]["items"]
    for case in cases["wilson_interval"]["items"]:
        if case["confidence"] == 0.95:
            found = dawid_skene.wilson(case["successes"], case["n"])
            assert found[1:3] == pytest.approx(case["verified"], abs=EXACT)


def test_the_bootstrap_over_clusters(cases):
    case = cases["cluster_bootstrap"]
    columns = np.array([[sum(values), len(values)] for values in case["clusters"]], dtype=float)
    statistic = Statistic(columns, kappa.share, len(columns))
    found = np.sort(statistic.value(bootstrap.drawn(columns, draws=case["resamples"], seed=case["seed"])))
    assert statistic.point == pytest.approx(case["point"], abs=EXACT)
    ends = [bootstrap.quantile(found, share) for share in (0.025, 0.975)]
    assert ends == pytest.approx(case["interval"], abs=EXACT)
