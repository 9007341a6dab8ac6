"""Metrics against people's scores: correlations, sets of questions, the paired test and sweeps on made-up numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from annotation.statistics.metric_against_people import ScoredAnswers, paired_test, per_answer, per_set, sweep_weights


def made_up(seed=1, questions=60, systems=5, **metrics):
    rng = np.random.default_rng(seed)
    n = questions * systems
    human = rng.integers(1, 6, size=n).astype(float)
    close, far = human + rng.normal(size=n), human + 4 * rng.normal(size=n)
    return ScoredAnswers(
        items=np.repeat(np.arange(questions), systems).tolist(),
        systems=list("ABCDEFGH"[:systems]) * questions,
        types=np.repeat(["ENTITY", "YES_NO"], n // 2).tolist(),
        human=human,
        metrics={"close": close, "far": far, "none": np.ones(n)} | metrics,
    )


def test_per_answer_it_is_scipys_by_type_and_of_all():
    answers = made_up()
    found = per_answer(answers)["close"]
    assert found["all"].value == pytest.approx(stats.pearsonr(answers.human, answers.metrics["close"]).statistic)
    half = stats.pearsonr(answers.human[:150], answers.metrics["close"][:150]).statistic
    assert found["ENTITY"].value == pytest.approx(half)
    assert (found["all"].n, found["ENTITY"].n) == (60, 30)
    assert per_answer(answers)["none"]["all"].value is None


def test_a_set_has_the_same_questions_for_all_systems_and_metrics():
    question = np.repeat(np.arange(60.0), 5)
    sets = per_set(made_up(question=question))
    points = sets["question"]["all"]
    assert points.metric.shape == (500,)
    assert (points.metric.reshape(100, 5) == points.metric.reshape(100, 5)[:, :1]).all()
    assert len(np.unique(points.metric)) > 50
    assert points.pearson == pytest.approx(stats.pearsonr(points.human, points.metric).statistic)
    again = per_set(made_up(question=question))["question"]["all"]
    assert (points.metric == again.metric).all()
    other = per_set(made_up(question=question), seed=2)["question"]["all"]
    assert (points.metric != other.metric).any()


@pytest.mark.parametrize(("size", "groups"), [(30, {"all", "ENTITY", "YES_NO"}), (31, {"all"}), (61, set())])
def test_a_group_with_fewer_questions_than_a_set_has_none(size, groups):
    assert set(per_set(made_up(), size=size)["close"]) == groups


def test_a_question_that_a_system_did_not_answer_is_in_no_set():
    whole = made_up()
    rows = np.arange(1, 300)
    some = ScoredAnswers(
        [whole.items[at] for at in rows],
        [whole.systems[at] for at in rows],
        [whole.types[at] for at in rows],
        whole.human[rows],
        {"close": whole.metrics["close"][rows]},
    )
    assert set(per_set(some, size=30)["close"]) == {"all", "YES_NO"}
    assert set(per_set(some, size=29)["close"]) == {"all", "ENTITY", "YES_NO"}


def test_the_sets_of_all_questions_are_the_means_of_systems():
    answers = made_up()
    points = per_set(answers, size=60, sets=2)["close"]["all"]
    expected = answers.metrics["close"].reshape(60, 5).mean(axis=0)
    assert points.metric.reshape(2, 5)[1] == pytest.approx(expected)


def test_of_two_metrics_the_better_one_wins_nearly_always():
    answers = made_up()
    test = paired_test(answers, "close", "far")
    assert (test.wins, test.p) == (1, 0)
    assert 0 < test.difference.low < test.difference.value < test.difference.high
    assert test.difference.n == 60
    assert paired_test(answers, "far", "close").wins == 0
    assert paired_test(answers, "close", "close").p == 1
    assert np.isnan(paired_test(answers, "close", "none").p)


def test_of_two_metrics_that_are_as_good_neither_wins():
    rng = np.random.default_rng(8)
    human = made_up().human
    noise = [human + 2 * rng.normal(size=300) for _ in range(2)]
    test = paired_test(made_up(one=noise[0], other=noise[1]), "one", "other", resamples=400)
    assert 0.03 < test.wins < 0.97
    assert test.difference.low < 0 < test.difference.high


def test_answers_that_go_together_make_the_interval_by_question_wider_than_the_resamples():
    """A metric knows of the question only; 100 questions of five answers with the same score are 100 observations."""
    rng = np.random.default_rng(3)
    human = np.repeat(rng.normal(size=100), 5)
    columns = {name: human + np.repeat(rng.normal(size=100), 5) for name in ("one", "other")}
    answers = ScoredAnswers(np.repeat(np.arange(100), 5).tolist(), list("ABCDE") * 100, ["x"] * 500, human, columns)
    single = ScoredAnswers(list(range(500)), list("ABCDE") * 100, ["x"] * 500, human, columns)
    wide, narrow = (paired_test(each, "one", "other").difference for each in (answers, single))
    assert wide.high - wide.low > 1.8 * (narrow.high - narrow.low)


def test_a_weight_is_swept_by_the_columns_that_it_gives():
    answers = made_up()
    noise = np.random.default_rng(2).normal(size=300)
    by_columns = sweep_weights(answers, {each: answers.human * each + noise for each in (0.5, 1.0, 4.0)})
    found = [r for _weight, r in by_columns["all"]]
    assert found == sorted(found)
    assert np.isnan(sweep_weights(answers, {0.0: np.ones(300)})["all"][0][1])
