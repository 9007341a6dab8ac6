"""Forms say in words what is missing, and convert payloads both ways."""

from __future__ import annotations

import json
from random import Random

import pytest

from annotation.protocols.coqa import demo, schemas, sheets
from annotation.protocols.coqa.forms import FORMS
from annotation.talks import ShownTurn, SpokenLine

TEXT = "Anna Holt built the tower. Her brother kept its light for thirty years, and fed the gulls 🦊."
SPAN = [{"passage": 0, "start": 0, "end": 9, "quote": "Anna Holt"}]
TALK = {
    "text": TEXT,
    "alone": False,
    "prompt": "Who?",
    "turns": (ShownTurn(1, 1, (SpokenLine("question", "Who?"), SpokenLine("answer", "Anna"))),) * 12,
}
GAME = {"stage": "guess", "prompt": "Who?", "text": TEXT, "number": 1, "of": 2, "rows": ()}
SHEETS = {
    "question": sheets.AskSheet(stage="question", ends="done", proposed=False, continues=False, advice=True, **TALK),
    "answer": sheets.ReplySheet(stage="answer", turn=13, may_propose=True, **TALK),
    "closing": sheets.ClosingSheet(stage="closing", **TALK),
    "guess": sheets.GuessSheet(**GAME),
    "verdict": sheets.VerdictSheet(guess="Anna", marked=(0, 4), original="Emil", **(GAME | {"stage": "verdict"})),
}
SCHEMAS = {
    "question": schemas.QUESTION,
    "answer": schemas.ANSWER,
    "closing": schemas.CLOSING,
    "guess": schemas.ANSWER,
    "verdict": schemas.VERDICT,
}


def errors(stage, **fields):
    form = FORMS[stage](fields)
    return {} if form.is_valid() else {name: found[0] for name, found in form.errors.items()}


@pytest.mark.parametrize("stage", SHEETS)
def test_what_bots_say_goes_through_form_and_schema_unchanged(stage):
    kinds = set()
    for seed in range(120):
        payload = demo.pretend(SHEETS[stage], Random(seed))
        form = FORMS[stage](FORMS[stage].fields_of(payload))
        assert form.is_valid(), form.errors
        assert form.payload() == payload
        SCHEMAS[stage].validate_json(json.dumps(payload))
        kinds.add(payload.get("kind", payload.get("verdict", payload.get("agreed"))))
    expected = {
        "question": {"asked", "ended"},
        "answer": {"answered", "yes", "no", "unknown"},
        "closing": {True, False},
        "guess": {"answered", "yes", "no", "unknown"},
        "verdict": {"match", "no_match", "original_wrong", "question_unclear"},
    }
    assert kinds == expected[stage]


def test_the_end_of_an_exhausted_passage_goes_through_the_form():
    payload = {"kind": "ended", "why": "exhausted", "reason": "It tells no more."}
    form = FORMS["question"](FORMS["question"].fields_of(payload))
    assert form.is_valid()
    assert form.payload() == payload


def test_a_rationale_comes_before_the_answer():
    missing = errors("answer", text="Anna")
    assert missing == {"rationale": "First mark the words of the passage that support the answer."}
    assert errors("answer", rationale=json.dumps(SPAN)) == {"text": "Write the answer as you would say it."}
    assert errors("answer", rationale=json.dumps(SPAN), text="Anna") == {}


@pytest.mark.parametrize("stage", ["answer", "guess"])
def test_unknown_has_neither_rationale_nor_words(stage):
    form = FORMS[stage]({"unknown": "on", "rationale": json.dumps(SPAN), "text": "Anna"})
    assert form.is_valid()
    assert form.payload() == {"kind": "unknown", "may_end": False}


def test_a_second_rationale_is_refused():
    spans = [*SPAN, {"passage": 0, "start": 10, "end": 15, "quote": "built"}]
    assert errors("answer", rationale=json.dumps(spans), text="Anna") == {"rationale": "Mark one place only."}


def test_a_question_needs_words_and_an_end_a_reason():
    assert errors("question", text=" ") == {"text": "Write a question."}
    assert errors("question", why="exhausted") == {"reason": "Say why nothing is left to ask about this passage."}
    assert errors("question", why="done") == {}
    assert "Shorten" in errors("question", text="x" * 501)["text"]


def test_white_space_around_and_between_words_is_squeezed():
    form = FORMS["answer"]({"rationale": json.dumps(SPAN), "text": "  Anna \n Holt "})
    assert form.is_valid()
    assert form.payload()["text"] == "Anna Holt"


def test_bots_reject_the_sheet_of_another_protocol():
    with pytest.raises(TypeError):
        demo.pretend(object(), Random(1))


def test_a_reason_is_stored_only_where_the_page_asks_for_it():
    fields = {"why": "done", "reason": "It tells no more.", "text": "Who fed them?"}
    form = FORMS["question"](fields)
    assert form.is_valid()
    assert form.payload() == {"kind": "ended", "why": "done", "reason": ""}
    assert form.left() == {"text": "Who fed them?", "reason": "It tells no more."}
    again = FORMS["question"](fields | {"why": "exhausted"})
    assert again.is_valid()
    assert again.payload()["reason"] == "It tells no more."
    assert again.left() == {}
