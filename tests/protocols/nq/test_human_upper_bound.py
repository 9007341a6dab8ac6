"""The human upper bound: one annotator held out against the others, and the super-annotator of 25 annotations."""

import gzip
import json
from collections import Counter
from random import Random

import pytest
from natural_questions import eval_utils, nq_eval

from annotation.protocols.nq import scoring
from annotation.protocols.nq.human import HOLD_OUTS, Question, hold_outs, measure
from annotation.protocols.nq.scoring import NULL, Label, Offsets

GOLD = "scored/nq/gold.jsonl.gz"
NONE = Label(NULL, (), "none")


def box(number, *spans, yes_no="none"):
    return Label(Offsets(-1, -1, number, number + 1), tuple(Offsets(-1, -1, s, s + 1) for s in spans), yes_no)


A, B, C = box(1), box(2), box(3)


def measured(*questions, seed="seed"):
    return measure([Question(str(number), tuple(labels), seed) for number, labels in enumerate(questions)], seed)


def value(found, key):
    return found.figures[key].estimate.value


@pytest.fixture(scope="module")
def questions(shared):
    with gzip.open(shared / GOLD) as file:
        gold = scoring.gold_labels(json.loads(line) for line in file)
    return [Question(str(name), tuple(labels)) for name, labels in gold.items()]


@pytest.fixture
def by_nq_eval(shared):
    """The figures of nq_eval's own functions: each of five annotations as the prediction, the other four as gold."""
    if not nq_eval.FLAGS.is_parsed():
        nq_eval.FLAGS(["nq_eval"])
    gold = eval_utils.read_annotation_from_one_split(str(shared / GOLD))
    rows = {"long": [], "short": []}
    for labels in gold.values():
        for place, label in enumerate(labels):
            others = labels[:place] + labels[place + 1 :]
            rows["long"].append(nq_eval.score_long_answer(others, label))
            rows["short"].append(nq_eval.score_short_answer(others, label))
    return {kind: nq_eval.compute_f1(found) for kind, found in rows.items()}


def test_a_single_annotator_is_judged_as_nq_eval_judges_a_system(questions, by_nq_eval):
    found = measure(questions, "seed")
    for kind in ("long", "short"):
        assert by_nq_eval[kind]["n"] == 5 * 64
        for metric in ("precision", "recall", "f1"):
            assert value(found, f"single.{kind}_{metric}") == pytest.approx(by_nq_eval[kind][metric], abs=1e-12)


def test_a_figure_has_its_interval_and_what_it_was_measured_on(questions):
    figure = measure(questions, "seed").figures["single.long_f1"]
    found = figure.estimate
    assert 0 < found.low < found.value < found.high < 1
    assert (found.n, figure.counts) == (64, (64, 320))


def test_a_single_annotator_by_hand():
    """A, A, A, B, null: three of A are right, B is not the answer of another, null predicts nothing; gold always has
    an answer. P = 3/4, R = 3/5, A2 = 3/5."""
    found = measured((A, A, A, B, NONE))
    keys = ("single.long_precision", "single.long_recall", "single.long_f1", "single.long_accuracy")
    assert [value(found, key) for key in keys] == pytest.approx([3 / 4, 3 / 5, 2 / 3, 3 / 5])
    assert value(found, "single.short_accuracy") == 1


def test_the_threshold_stays_at_two_of_the_other_four():
    """A, A, null, null, null: without an A there is one answer left, so A is wrong; else two, and null is wrong."""
    found = measured((A, A, NONE, NONE, NONE))
    assert value(found, "single.long_precision") == 0
    assert value(found, "single.long_recall") == 0
    assert value(found, "single.long_accuracy") == 0


def test_short_answers_are_right_as_sets_of_spans_or_as_yes_and_no():
    spans = measured((box(1, 4, 6), box(1, 6, 4), box(1, 4), box(2, 4), box(2)))
    assert value(spans, "single.short_precision") == 4 / 4
    assert value(spans, "single.short_recall") == 4 / 5
    words = measured((box(1, yes_no="yes"), box(1, yes_no="yes"), box(1, yes_no="no"), box(1, 4), A))
    assert value(words, "single.short_precision") == 2 / 4


def test_every_question_has_the_same_weight_however_many_annotations_it_has():
    found = measured((A,) * 5, (NONE,) * 4 + (B,), (A,) * 25)
    assert value(found, "single.long_accuracy") == pytest.approx((1 + 4 / 5 + 1) / 3)


def test_with_five_annotations_there_is_no_super_annotator_and_it_says_why():
    found = measured((A,) * 5, (A,) * 4)
    assert (found.why_not["super"].code, found.why_not["super"].numbers) == ("super_needs_six", {"n": 5})
    assert not any(key.startswith("super.") for key in found.figures)
    assert "super" not in found.sweeps
    assert [(one.code, one.numbers) for one in found.left_out] == [("few", {"n": 1})]


def test_with_fewer_than_five_there_is_nothing_to_compute_and_it_says_why():
    found = measured((A, A, A, A), (B,))
    assert found.figures == {}
    assert {group: (reason.code, reason.numbers) for group, reason in found.why_not.items()} == {
        "single": ("single_needs_five", {"n": 4}),
        "super": ("super_needs_six", {"n": 4}),
        "crossed": ("super_needs_six", {"n": 4}),
    }
    assert {reason.code for reason in measured().why_not.values()} == {"nothing"}


def test_five_of_more_are_gold_again_and_again_and_the_rest_votes():
    labels = tuple(box(number) for number in range(25))
    found = list(hold_outs(Question("a", labels, "seed")))
    assert len(found) == HOLD_OUTS
    for gold, votes in found:
        assert (len(gold), len(votes)) == (5, 20)
        assert set(gold) | set(votes) == set(labels)
    assert len({tuple(gold) for gold, _votes in found}) > 1
    assert found == list(hold_outs(Question("a", labels, "seed")))
    assert found != list(hold_outs(Question("b", labels, "seed")))
    assert found != list(hold_outs(Question("a", labels, "another")))


def test_people_who_all_say_the_same_are_a_perfect_super_annotator():
    found = measured((box(1, 4),) * 25, (box(2, 7),) * 24 + (box(3, 8),), (NONE,) * 25)
    keys = [f"super.{kind}_{name}" for kind in ("long", "short") for name in ("precision", "recall", "f1", "accuracy")]
    assert [value(found, key) for key in keys] == [1] * 8
    assert value(found, "single.long_precision") < 1  # who chose the third box was wrong
    assert found.figures["super.long_f1"].counts == (3, 75)


def test_the_super_annotator_abstains_below_the_threshold():
    """Of ten answers among 25, 5 to 10 are among the 20 votes: up to a threshold of 5 it always answers, and then it is
    right wherever gold has two answers; from 11 on it never does."""
    found = measured((A,) * 10 + (NONE,) * 15)
    rows = {row[0]: row[1:4] for row in found.sweeps["super"]}
    assert list(rows) == list(range(1, 21))
    assert all(rows[step][1] == 1 and 0 < rows[step][0] < 1 for step in range(1, 6))
    assert all(rows[step] == [0, 0, 0] for step in range(11, 21))
    recalls = [rows[step][1] for step in rows]
    assert recalls == sorted(recalls, reverse=True)
    assert rows[8][1] == pytest.approx(value(found, "super.long_recall"))
    assert rows[8][1] not in (0, 1)


def test_the_threshold_is_a_share_if_fewer_than_20_vote():
    """Of eight annotations three vote; 8 in 20 of three are two, rounded up."""
    question = Question("a", (A,) * 3 + (NONE,) * 5)
    answers = [sum(vote == A for vote in votes) for _gold, votes in hold_outs(question)]
    predicted = question.supers[8 - 1][1]
    assert predicted == sum(n >= 2 for n in answers) / HOLD_OUTS
    assert 0 < predicted < 1


def test_the_prediction_is_the_most_frequent_answer_and_of_equals_the_earliest():
    """Against a count by hand of 40 questions with 25 random annotations each."""
    rng = Random(7)
    for number in range(40):
        labels = tuple(rng.choice((A, B, C, NONE)) for _ in range(25))
        question = Question(str(number), labels)
        right = gold_has = 0
        for gold, votes in hold_outs(question):
            counts = Counter(vote.long.start_token for vote in votes if vote != NONE)
            mode = min(counts, key=lambda place: (-counts[place], place))
            answered = [label.long.start_token for label in gold if label != NONE]
            gold_has += len(answered) >= 2
            right += len(answered) >= 2 and counts.total() >= 8 and mode in answered
        row = question.supers[8 - 1]
        assert (row[0], row[2]) == (right / HOLD_OUTS, gold_has / HOLD_OUTS)


def test_yes_is_as_good_a_short_answer_as_a_span_and_the_more_frequent_one_wins():
    found = measured((box(1, yes_no="yes"),) * 22 + (box(1, 4),) * 3)
    assert value(found, "super.short_precision") == 1
    assert value(found, "super.short_recall") == 1
    assert value(found, "single.short_precision") < 1


def test_the_same_annotations_give_the_same_figures_in_any_order_of_questions():
    some = [Question(str(n), (A,) * n + (B,) * 3 + (NONE,) * (22 - n)) for n in range(4, 20, 5)]
    one, other = measure(some, "seed"), measure(some[::-1], "seed")
    for key, figure in one.figures.items():
        assert figure.estimate.value == pytest.approx(other.figures[key].estimate.value)
    assert one.figures == measure(some, "seed").figures
