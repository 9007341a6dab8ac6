"""Results of a round: shares with both intervals, by rater and type, and the exhibits that tell most."""

from __future__ import annotations

import pytest
from scipy.stats import pearsonr
from sklearn.metrics import cohen_kappa_score

from annotation.judging.results import GivenMark, round_results, spread
from annotation.judging.rubrics import Mark, Rubric, SubMark, preset

GRADES = Rubric(
    title="Answers",
    asks="How good?",
    marks=tuple(Mark(key=f"m{n}", title=str(n)) for n in (5, 4, 3, 2, 1)),
    ordinal=True,
)
RIGHT = Rubric(
    title="Answers",
    asks="Right?",
    marks=(Mark(key="C", title="Right", parts=(SubMark(key="all", title="All"), SubMark(key="some", title="Some"))),
           Mark(key="W", title="Wrong")),
    right=("C",),
)  # fmt: skip


def given(*marks, type="", part="", comments=()):
    """A mark by rater 1, 2 ... of each exhibit, in a string of keys; each exhibit is of a question of its own."""
    return [
        GivenMark(
            n, n, rater, mark, part=part if mark == "C" else "", comment="Why?" if n in comments else "", type=type
        )
        for n, said in enumerate(marks)
        for rater, mark in enumerate(said.split(), start=1)
    ]


def test_a_share_has_wilsons_interval_over_marks_and_the_bootstraps_over_questions():
    # 7 of 10: Wilson by hand, z = 1.96: centre (.7 + .19207) / 1.38415 = .64449, half .24744.
    found = round_results(RIGHT, given(*["C"] * 7, *["W"] * 3)).shares["C"]
    assert (found.wilson.low, found.wilson.high) == pytest.approx((0.3968, 0.8922), abs=5e-5)
    assert found.share.value == pytest.approx(0.7)
    assert found.share.is_too_few  # only three questions differ from the rest


def test_four_marks_of_the_same_exhibits_narrow_wilsons_interval_and_not_the_bootstraps():
    one, four = (
        round_results(RIGHT, given(*["C" + " C" * n] * 24, *["W" + " W" * n] * 16)).shares["C"] for n in (0, 3)
    )
    assert four.wilson.high - four.wilson.low < (one.wilson.high - one.wilson.low) * 0.6
    assert four.share.high - four.share.low == pytest.approx(one.share.high - one.share.low)


def test_shares_are_given_by_type_where_items_have_one():
    found = round_results(RIGHT, [*given("C C", "C W", type="A"), *given("W W", type="B")])
    assert {key: each.shares["C"].share.value for key, each in found.by_type.items()} == {"A": 0.75, "B": 0.0}
    assert not round_results(RIGHT, given("C C")).by_type


def test_finer_kinds_are_counted():
    found = round_results(RIGHT, [*given("C", "C", part="all"), *given("C", part="some"), *given("W")])
    assert found.parts == {"C": {"all": 2, "some": 1}}


def test_the_exhibits_that_differ_most_come_first_then_those_with_comments():
    found = round_results(GRADES, given("m5 m4", "m5 m1", "m3 m3", "m2 m2", comments=[3]))
    assert [(each.exhibit, each.spread) for each in found.quoted] == [(1, 1.0), (0, 0.25), (3, 0.0)]


@pytest.mark.parametrize(
    ("places", "ordinal", "apart"),
    [
        ([0, 0], False, 0), ([0, 1], False, 1), ([0, 1, 1], False, 2 / 3),
        ([0, 1], True, 0.25), ([0, 4], True, 1), ([2], True, 0),
    ],
)  # fmt: skip
def test_spread_is_the_mean_distance_of_two_marks(places, ordinal, apart):
    assert spread(places, 5, ordinal=ordinal) == pytest.approx(apart)


def test_nothing_judged_gives_no_shares():
    found = round_results(RIGHT, [])
    assert found.shares["C"].share.value is None
    assert found.as_json()["exhibits"] == 0


def test_scores_have_the_correlations_of_their_raters_by_type_and_other_marks_have_none():
    given = [
        GivenMark(item=item, exhibit=item, rater=rater, mark=str(mark), type="ENTITY" if item % 2 else "YES_NO")
        for item, marks in enumerate([(1, 2), (2, 2), (3, 5), (5, 4), (4, 4), (1, 1)])
        for rater, mark in enumerate(marks, start=1)
    ]
    scale = preset("Scores", "How good is it?", *((f"{n}", f"{n}", "") for n in range(1, 6)), ordinal=True)
    found = round_results(scale, given).scores
    assert set(found) == {"all", "ENTITY", "YES_NO"}
    assert found["all"]["pearson"].value == pytest.approx(pearsonr([1, 2, 3, 5, 4, 1], [2, 2, 5, 4, 4, 1])[0])
    weighted = cohen_kappa_score([1, 2, 3, 5, 4, 1], [2, 2, 5, 4, 4, 1], weights="quadratic")
    assert found["all"]["weighted_kappa"].value == pytest.approx(weighted)
    letters = preset("Right?", "Is it right?", ("C", "Correct", ""), ("W", "Wrong", ""))
    assert round_results(letters, [GivenMark(item=1, exhibit=1, rater=1, mark="C")]).scores == {}


def test_finer_kinds_have_shares_of_the_marks_that_say_which():
    marks = [*given(*["C"] * 3, part="all"), *given("W"), *given("C", part="some")]
    marks += given("C")  # says no part
    found = round_results(RIGHT, marks)
    assert found.parts["C"] == {"all": 3, "some": 1}
    shares = {key: (each.share.value, each.wilson.part, each.wilson.n) for key, each in found.part_shares["C"].items()}
    assert shares == {"all": (0.75, 3, 4), "some": (0.25, 1, 4)}
    assert round_results(RIGHT, given("W")).part_shares == {}
