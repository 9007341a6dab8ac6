"""All that a round says of how much its raters agree, as a whole and by type of question."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from annotation.statistics import alpha
from annotation.statistics.reliability import reliability, round_ratings

TYPES = ("ENTITY", "YES_NO")


def judged(n=40, per_question=5, seed=1):
    rng = np.random.default_rng(seed)
    scores = np.clip(
        rng.integers(1, 6, size=n * per_question)[:, None] + rng.integers(-1, 2, (n * per_question, 2)), 1, 5
    )
    questions = np.repeat(np.arange(n), per_question).tolist()
    return [dict(zip("ab", row, strict=True)) for row in scores.tolist()], questions


def test_scores_have_all_statistics_with_intervals_by_type_of_question():
    units, questions = judged()
    found = reliability(units, questions, range(1, 6), types=[TYPES[q % 2] for q in questions])
    assert list(found) == ["all", *TYPES]
    assert {each.n for each in found["all"].values()} == {40}
    assert {each.n for each in found["ENTITY"].values()} == {20}
    assert all(each.low < each.value < each.high for each in found["all"].values())
    assert set(found["all"]) == {"pearson", "weighted_kappa", "icc_absolute_agreement"}


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_alpha_is_that_of_the_package_whatever_the_clusters(level):
    units, questions = judged(seed=3)
    table = np.array([list(unit.values()) for unit in units]).T
    found = getattr(alpha, level)(round_ratings(units, questions, range(1, 6)))
    assert found.point == pytest.approx(krippendorff.alpha(table, level_of_measurement=level))
    assert (found.n, len(found.columns)) == (40, 40)


def test_an_exhibit_that_nobody_judged_is_nothing():
    assert reliability([{}, {"a": 1}], "ab", range(1, 6))["all"]["pearson"].value is None
    assert reliability([], [], range(1, 6))["all"]["pearson"].value is None
