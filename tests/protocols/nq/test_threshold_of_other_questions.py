"""The super-annotator's threshold, chosen on other questions than those that are judged with it."""

from __future__ import annotations

from random import Random

import pytest

from annotation.protocols.nq.human import Question, measure
from annotation.protocols.nq.scoring import NULL, Label, Offsets

NONE = Label(NULL, (), "none")
A, B = (Label(Offsets(-1, -1, at, at + 1), (Offsets(-1, -1, at, at + 1),), "none") for at in (1, 2))
OFTEN, SELDOM = (A,) * 8 + (NONE,) * 17, (A,) + (B,) * 5 + (NONE,) * 19


def measured(*questions, seed="seed"):
    return measure([Question(str(place), labels, seed) for place, labels in enumerate(questions)], seed)


def best_of(question):
    """The threshold with the best F1 on one question, the one nearest to 8 of equal ones."""

    def f1(row):
        return 2 * row[0] / (row[1] + row[2]) if row[1] + row[2] else 0

    rows = question.supers
    return max(range(1, 21), key=lambda step: (round(f1(rows[step - 1]), 12), -abs(step - 8), -step))


def test_of_two_questions_each_is_judged_with_the_threshold_of_the_other():
    one, other = (Question(str(place), labels, "seed") for place, labels in enumerate((OFTEN, SELDOM)))
    thresholds = best_of(one), best_of(other)
    assert thresholds[0] != thresholds[1]
    rows = one.supers[thresholds[1] - 1], other.supers[thresholds[0] - 1]
    correct, predicted, answerable = (sum(row[place] for row in rows) for place in range(3))
    found = measured(OFTEN, SELDOM)
    assert found.figures["crossed.long_precision"].estimate.value == pytest.approx(correct / predicted)
    assert found.figures["crossed.long_recall"].estimate.value == pytest.approx(correct / answerable)
    assert found.notes["crossed"].numbers["long_low"] == min(thresholds)
    assert found.notes["crossed"].numbers["long_high"] == max(thresholds)


def test_where_all_questions_want_the_same_threshold_it_is_the_figure_of_the_sweep():
    found = measured(*[(A,) * n + (NONE,) * (25 - n) for n in (0, 1, 23, 24, 25)] * 6)
    chosen = found.notes["crossed"].numbers
    assert chosen["long_low"] == chosen["long_high"] == 8
    for name in ("precision", "recall", "f1", "accuracy"):
        for kind in ("long", "short"):
            crossed, usual = found.figures[f"crossed.{kind}_{name}"], found.figures[f"super.{kind}_{name}"]
            assert crossed.estimate.value == pytest.approx(usual.estimate.value)
            assert crossed.counts == usual.counts == (30, 750)


def test_it_is_lower_than_the_best_of_the_sweep_where_the_best_is_chance():
    rng = Random(11)
    some = [tuple(rng.choice((A, B, NONE, NONE)) for _ in range(25)) for _ in range(40)]
    found = measured(*some)
    best = max(row[3] for row in found.sweeps["super"])
    assert found.figures["crossed.long_f1"].estimate.value < best
    assert found.figures["crossed.long_f1"].estimate.low < found.figures["crossed.long_f1"].estimate.value


def test_the_same_questions_in_another_order_give_the_same_figures():
    some = [Question(str(n), (A,) * n + (B,) * 3 + (NONE,) * (22 - n)) for n in range(2, 20, 3)]
    one, other = (measure(questions, "seed").figures for questions in (some, some[::-1]))
    for key in [name for name in one if name.startswith("crossed")]:
        assert one[key].estimate.value == pytest.approx(other[key].estimate.value)


def test_one_question_cannot_be_split_and_it_says_so():
    found = measured(OFTEN, (A,) * 5)
    assert found.why_not["crossed"].code == "crossed_needs_two"
    assert "crossed.long_f1" not in found.figures
