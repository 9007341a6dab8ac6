"""Turns are graded by the official F1, by whether the rationale touches the reference's, and as known or unknown."""

import json
from fractions import Fraction

import pytest

from annotation.protocols.coqa.protocol import PROTOCOL
from annotation.values.records import AnnotationRecord, Step
from tests.protocols.coqa.builders import asked, game, parsed, said, talk


def guessed(*guesses):
    """A game with these guesses, each (text, words), or (None) for unknown."""
    every = [said(turn, *one, stage="guess") for turn, one in enumerate(guesses, start=1)]
    return AnnotationRecord("guess", tuple(every))


def graded(own, *references, activity="guess"):
    """turn -> the points by part."""
    found = {}
    for score in PROTOCOL.grade(activity, None, own, references):
        found.setdefault(score.step.turn, {})[score.part.key] = score.points
    return found


UNKNOWN = ("", "")
ANNA, HOLT, YEAR = ("Anna", "by Anna Holt"), ("Anna Holt", "Holt"), ("1871", "1871")


def points(known, answer, rationale=None):
    return {"known": known, "answer": answer} | ({} if rationale is None else {"rationale": rationale})


@pytest.mark.parametrize(
    ("own", "references", "expected"),
    [
        (ANNA, [ANNA], points(1, 1, 1)),
        (ANNA, [HOLT], points(1, Fraction(2, 3), 1)),
        (YEAR, [ANNA], points(1, 0, 0)),
        (("Anna", "built in"), [ANNA], points(1, 1, 0)),
        (("Anna", "1871 "), [("Anna", "by Anna Holt")], points(1, 1, 0)),  # next to it, with nothing in common
        (UNKNOWN, [ANNA], points(0, 0, 0)),
        (ANNA, [UNKNOWN], points(0, 0)),
        (UNKNOWN, [UNKNOWN], points(1, 1)),
        (UNKNOWN, [ANNA, UNKNOWN], points(1, 1, 1)),
        (ANNA, [UNKNOWN, YEAR, HOLT], points(1, Fraction(2, 3), 1)),
    ],
)
def test_of_each_turn_the_best_reference_counts(own, references, expected):
    assert graded(guessed(own), *(guessed(one) for one in references)) == {1: expected}


def test_each_turn_has_a_best_reference_of_its_own():
    own, first, second = guessed(ANNA, YEAR), guessed(ANNA, UNKNOWN), guessed(UNKNOWN, YEAR)
    assert graded(own, first, second) == {1: points(1, 1, 1), 2: points(1, 1, 1)}
    assert graded(own, first) == {1: points(1, 1, 1), 2: points(0, 0)}


def test_turns_that_were_not_reached_have_nothing_and_further_ones_do_not_count():
    three, two = guessed(ANNA, YEAR, UNKNOWN), guessed(ANNA, YEAR)
    assert graded(two, three)[3] == points(0, 0)
    assert set(graded(three, two)) == {1, 2}


@pytest.mark.parametrize(("activity", "seat"), [("converse", "answerer"), ("converse_alone", "one")])
def test_answers_in_conversations_are_numbered_as_in_a_release(activity, seat):
    told = (asked(1), said(1), asked(4), said(4, "1871", "1871"))
    own = AnnotationRecord(activity, (asked(1), said(1), asked(2), said(2, "1871", "1871")))
    found = PROTOCOL.grade(activity, None, own, [AnnotationRecord(activity, told)])
    assert {score.step for score in found} == {Step("answer", 1, seat), Step("answer", 2, seat)}
    assert {score.points for score in found} == {1}


def test_what_the_questioner_asked_is_not_graded():
    own = talk(turns=3)
    assert graded(own, talk(turns=3), activity="converse") == {turn: points(1, 1, 1) for turn in (1, 2, 3)}


def test_the_page_of_marks_shows_answers_and_rationales():
    known, answer, rationale = PROTOCOL.grade("guess", None, guessed(UNKNOWN), [guessed(ANNA)])
    assert (known.said.text, known.wanted.text) == ("Unknown", "Known")
    assert (answer.said, answer.wanted) == (("Unknown", False), ("Anna", True))
    assert (rationale.said, rationale.wanted) == (("No rationale", False), ("by Anna Holt", True))


def test_an_imported_rationale_without_a_place_is_none():
    payload = {"input_text": "Anna", "turn_id": 1, "span_start": 5, "span_end": 5, "span_text": ""}
    one = AnnotationRecord("guess", (parsed("guess", payload, 1, schema="coqa.guess/published/1"),))
    assert graded(game(turns=1, text="Anna"), one) == {1: points(1, 1)}


@pytest.fixture(scope="module")
def scored(shared):
    return lambda name: json.loads((shared / "scored/coqa" / name).read_bytes())


def words_of(texts):
    """A game with these texts, as in a published file, without rationales."""
    blank = {"span_start": -1, "span_end": -1, "span_text": ""}
    every = [
        parsed("guess", blank | {"input_text": text, "turn_id": turn}, turn, schema="coqa.guess/published/1")
        for turn, text in texts.items()
    ]
    return AnnotationRecord("guess", tuple(every))


def test_f1_is_that_of_the_official_script(scored):
    predicted = {(row["id"], row["turn_id"]): row["answer"] for row in scored("predictions.json")}
    figures = {(row["id"], row["turn_id"]): row["model_f1"] for row in scored("expected.json")["per_turn"]}
    compared = 0
    for dialogue in scored("gold.json")["data"]:
        lists = [dialogue["answers"], *dialogue["additional_answers"].values()]
        games = [words_of({one["turn_id"]: one["input_text"] for one in answers}) for answers in lists]
        turns = {one["turn_id"] for one in dialogue["questions"]}
        own = words_of({turn: predicted[dialogue["id"], turn] for turn in turns if (dialogue["id"], turn) in predicted})
        # The script leaves each answer out in turn, and averages what the best of the others gives.
        left_out = [graded(own, *games[:place], *games[place + 1 :]) for place in range(len(games))]
        for turn in turns:
            mean = sum(found[turn]["answer"] for found in left_out) / len(left_out)
            expected = figures[dialogue["id"], turn]
            assert float(mean) == pytest.approx(expected or 0, abs=1e-12), (dialogue["id"], turn)
            compared += expected is not None
    assert compared >= 80
