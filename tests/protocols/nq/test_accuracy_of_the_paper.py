"""The NQ paper's accuracy A_b: correct if enough annotators answered and the prediction is one of their answers."""

import gzip
import json
from itertools import product

import pytest

from annotation.protocols.nq.scoring import NULL as NO_BOX
from annotation.protocols.nq.scoring import (
    Label,
    Offsets,
    accuracy,
    gold_labels,
    judge,
    long_verdict,
    predicted_labels,
    short_verdict,
)


def box(start):
    return Label(Offsets(start, start + 9, -1, -1), (), "none")


def short(*starts, yes_no="none"):
    return Label(Offsets(0, 99, -1, -1), tuple(Offsets(start, start + 1, -1, -1) for start in starts), yes_no)


A, B, C, NULL = box(0), box(10), box(20), Label(NO_BOX, (), "none")


def long_accuracy(*examples, b=2):
    return accuracy(long_verdict(votes, label, at_least=b) for votes, label in examples)


def short_accuracy(*examples, b=2):
    return accuracy(short_verdict(votes, label, at_least=b) for votes, label in examples)


@pytest.mark.parametrize(
    ("votes", "label", "right"),
    [
        ((A, A, NULL, NULL, NULL), A, 1),
        ((A, B, NULL, NULL, NULL), B, 1),
        ((A, B, NULL, NULL, NULL), C, 0),
        ((A, B, NULL, NULL, NULL), NULL, 0),
        ((A, NULL, NULL, NULL, NULL), NULL, 1),
        ((A, NULL, NULL, NULL, NULL), A, 0),
        ((NULL,) * 5, NULL, 1),
        ((NULL,) * 5, A, 0),
    ],
)
def test_two_answers_of_five_make_a_question_answerable(votes, label, right):
    assert long_accuracy((votes, label)) == right


ONE, BOTH, YES, NONE = short(1), short(1, 5), short(yes_no="yes"), short()


@pytest.mark.parametrize(
    ("votes", "label", "right"),
    [
        ((BOTH, YES, NONE, NONE, NONE), short(5, 1), 1),
        ((BOTH, YES, NONE, NONE, NONE), YES, 1),
        ((BOTH, YES, NONE, NONE, NONE), ONE, 0),
        ((BOTH, YES, NONE, NONE, NONE), short(yes_no="no"), 0),
        ((BOTH, YES, NONE, NONE, NONE), NONE, 0),
        ((BOTH, NONE, NONE, NONE, NONE), NONE, 1),
        ((BOTH, NONE, NONE, NONE, NONE), BOTH, 0),
    ],
)
def test_a_short_answer_is_right_as_a_whole(votes, label, right):
    assert short_accuracy((votes, label)) == right


def test_the_accuracy_is_the_mean_over_examples():
    examples = [((A, A, A, NULL, NULL), A), ((A, A, A, NULL, NULL), B), ((NULL,) * 5, NULL), ((NULL,) * 5, A)]
    assert long_accuracy(*examples) == 0.5
    assert accuracy([]) == 0


def test_b_is_how_many_must_have_answered():
    assert long_accuracy(((A, NULL, NULL, NULL, NULL), A), b=1) == 1
    assert long_accuracy(((A, A, NULL, NULL, NULL), A), b=3) == 0


def test_on_the_scored_cases_it_follows_from_the_verdicts_that_nq_eval_gives(shared):
    """Right are the examples that nq_eval counts as correct, and those in which both sides have no answer."""
    folder = shared / "scored" / "nq"
    with gzip.open(folder / "gold.jsonl.gz") as file:
        gold = gold_labels(json.loads(line) for line in file)
    predicted = predicted_labels(json.loads((folder / "predictions.json").read_bytes()))
    rows = json.loads((folder / "expected.json").read_bytes())["per_example"]
    for name, verdicts in zip(("long", "short"), judge(gold, predicted), strict=True):
        judged = [row[name] for row in rows]
        right = [correct or not (answered or given) for answered, given, correct, _score in judged]
        assert accuracy(verdicts.values()) == sum(right) / 64
        assert 0 < sum(right) < 64


def test_the_threshold_of_the_bayes_optimal_answer_is_the_papers():
    """Section 5.1, note 11: if a share g gives the answer and the rest null, answering wins from g = .31381 on."""
    low, high = 0.0, 1.0
    for _ in range(60):
        null = (low + high) / 2
        if null**5 + 5 * null**4 * (1 - null) < 0.5:
            low = null
        else:
            high = null
    share = 1 - low
    assert share == pytest.approx(0.31381, abs=5e-6)
    outcomes = [(votes, share ** votes.count(A) * low ** votes.count(NULL)) for votes in product((A, NULL), repeat=5)]
    answering = sum(chance * long_accuracy((votes, A)) for votes, chance in outcomes)
    abstaining = sum(chance * long_accuracy((votes, NULL)) for votes, chance in outcomes)
    assert answering == pytest.approx(abstaining)
