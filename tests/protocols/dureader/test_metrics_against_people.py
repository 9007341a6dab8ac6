"""The adapted metrics beside people's scores, on made-up answers: the signs and orders that the paper found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from annotation.protocols.dureader import adapted_metric
from annotation.protocols.dureader.adapted_metric import Weights
from annotation.protocols.dureader.metric_columns import bleu_of_sets, rouge_by_answer
from annotation.statistics.metric_against_people import paired_test, per_answer, per_set, sweep_weights
from tests.protocols.dureader.judged_candidates import ADAPTED, QUALITIES, bleu_by_set, candidates, scored

QUESTIONS = {"YES_NO": 60, "ENTITY": 60, "DESCRIPTION": 40}
BETTER = ("YES_NO", "ENTITY", "all")
"""Where the paper's adapted ROUGE-L correlates better than the plain one, per answer and per set."""
FURTHER = pytest.mark.in_test_all(
    shown_by="tests/protocols/dureader/test_metrics_against_people.py"
    "::test_adapted_rouge_correlates_better_with_people_than_plain_rouge"
)
"""The same order in sets, and for other weights; how both are reckoned, `tests/annotation/statistics` shows."""


@pytest.fixture(scope="module")
def found():
    return candidates(5, **QUESTIONS)


@pytest.fixture(scope="module")
def answers(found):
    return scored(found)


def test_the_answers_are_always_the_same_ones_with_five_systems_each(found):
    assert found == candidates(5, **QUESTIONS)
    assert len(found) == 5 * sum(QUESTIONS.values())
    means = [np.mean([each.score for each in found if each.system == name]) for name in QUALITIES]
    assert means == sorted(means, reverse=True)
    assert {each.score for each in found} == {1, 2, 3, 4, 5}


def test_every_metric_goes_up_with_people_s_scores(answers):
    for of_types in per_answer(answers).values():
        assert set(of_types) == {"all", *QUESTIONS}
        assert all(0 < each.low < each.value < each.high for each in of_types.values())


@pytest.mark.parametrize("group", BETTER)
def test_adapted_rouge_correlates_better_with_people_than_plain_rouge(answers, group):
    test = paired_test(answers, "adapted ROUGE-L", "plain ROUGE-L", group=group)
    assert test.p <= 0.05
    assert test.wins == pytest.approx(1 - test.p)
    assert test.difference.low > 0


def test_where_scores_are_of_words_alone_adapted_rouge_is_not_better():
    """The control: the order above is not in the answers, but in what nuggets weigh. Opinions then even do harm."""
    of_words = scored(candidates(5, nuggets=0.0, **QUESTIONS))
    tests = {group: paired_test(of_words, "adapted ROUGE-L", "plain ROUGE-L", group=group) for group in BETTER}
    assert all(test.p > 0.05 and test.difference.low < 0 for test in tests.values())
    assert tests["YES_NO"].difference.high < 0


def test_a_description_has_no_bonus_so_both_are_the_same(answers):
    of_rouge = per_answer(answers)
    assert of_rouge["adapted ROUGE-L"]["DESCRIPTION"] == of_rouge["plain ROUGE-L"]["DESCRIPTION"]
    assert paired_test(answers, "adapted ROUGE-L", "plain ROUGE-L", group="DESCRIPTION").wins == 0


@FURTHER
def test_per_set_of_thirty_questions_it_does_so_too_and_systems_are_told_apart(found, answers):
    sets = per_set(answers, of_set=bleu_by_set(found))
    for group in BETTER:
        adapted, plain = (sets[f"{name} ROUGE-L"][group] for name in ("adapted", "plain"))
        assert len(adapted.human) == len(adapted.metric) == 500
        assert (adapted.human == plain.human).all()
        assert adapted.pearson > plain.pearson
    assert all(points.pearson > 0.5 for of_types in sets.values() for points in of_types.values())


def test_bleu_of_a_set_is_that_of_the_corpus(found):
    rows = [0, 3, 17, 401]
    judged = [each.judged for each in found]
    expected = adapted_metric.figures([judged[row] for row in rows], ADAPTED)["BLEU-4"]
    assert round(100 * bleu_of_sets(judged, ADAPTED)(rows), 2) == expected


@FURTHER
def test_the_weight_of_opinions_is_varied_with_that_of_entities_as_it_is(found, answers):
    judged = [each.judged for each in found]
    values = (0.0, 0.5, 2.0)
    swept = sweep_weights(
        answers, {alpha: rouge_by_answer(judged, replace(Weights(), alpha=alpha)) for alpha in values}
    )
    assert [value for value, _r in swept["YES_NO"]] == list(values)
    by_value = [r for _value, r in swept["YES_NO"]]
    assert by_value[0] == pytest.approx(per_answer(answers)["plain ROUGE-L"]["YES_NO"].value)
    assert by_value == sorted(by_value)
    assert len({r for _value, r in swept["ENTITY"]}) == 1
