"""A POST becomes exactly one payload, and the payload becomes the same form fields again."""

import json

import orjson
import pytest

from annotation.protocols.qasper.forms import AnswerForm, QuestionsForm
from annotation.protocols.qasper.schemas import ANSWER, QUESTIONS
from tests.protocols.qasper.builders import float_unit, sentences, span

EVIDENCE = [sentences(0, 1, 2, "They sleep on 🦊 kelp."), float_unit(0, "Figure 1: An otter.")]
SPANS = [span(0, "kelp")]

MARKED = [{"passage": span["paragraph"], **{key: span[key] for key in ("start", "end", "quote")}} for span in SPANS]
"""The same as the picker sends them."""
ANSWERS = [
    {"kind": "unanswerable"},
    {"kind": "extractive", "spans": SPANS, "evidence": EVIDENCE},
    {"kind": "yes_no", "value": True, "evidence": EVIDENCE, "by_absence": False},
    {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True},
    {"kind": "abstractive", "text": "on kelp", "evidence": EVIDENCE[:1]},
    {"kind": "abstractive", "text": "on kelp", "evidence": EVIDENCE[:1], "in_abstract": True},
]
ASKED = {
    "nlp_background": "infinity",
    "topic_background": "",
    "paper_read": "no",
    "search_query": " otter ",
    "questions": [{"text": "Who counts?", "answerable_from_abstract": True, "kept": True}],
}

NO_ANSWERS = {"nlp_background": "", "topic_background": "", "paper_read": ""}
"""The background of a writer who would rather not say anything about it."""


@pytest.mark.parametrize("payload", ANSWERS, ids=lambda payload: payload["kind"])
def test_an_answer_goes_through_the_form_and_back(payload):
    form = AnswerForm(AnswerForm.fields_of(payload))
    assert form.is_valid(), form.errors
    assert form.payload() == payload
    ANSWER.validate_json(orjson.dumps(form.payload()))


def test_questions_go_through_the_form_and_back():
    form = QuestionsForm(QuestionsForm.fields_of(ASKED))
    assert form.is_valid(), form.errors
    assert form.payload() == ASKED
    QUESTIONS.validate_json(orjson.dumps(form.payload()))


def test_fields_of_another_kind_are_ignored():
    post = {
        "evidence": json.dumps(EVIDENCE),
        "spans": json.dumps(MARKED),
        "value": "yes",
        "text": "so",
        "by_absence": "on",
        "in_abstract": "on",
    }
    for kind, keys in (
        ("unanswerable", {"kind"}),
        ("extractive", {"kind", "spans", "evidence", "in_abstract"}),
        ("yes_no", {"kind", "value", "evidence", "by_absence", "in_abstract"}),
        ("abstractive", {"kind", "text", "evidence", "in_abstract"}),
    ):
        form = AnswerForm(post | {"kind": kind})
        assert form.is_valid(), form.errors
        assert form.payload().keys() == keys


@pytest.mark.parametrize(
    ("value", "evidence", "absent"), [("no", [], True), ("yes", [], False), ("no", EVIDENCE, False)]
)
def test_that_the_paper_does_not_mention_it_is_stored_only_where_the_page_shows_it(value, evidence, absent):
    fields = {"kind": "yes_no", "value": value, "evidence": json.dumps(evidence), "by_absence": "on"}
    form = AnswerForm(fields)
    assert form.is_valid(), form.errors
    assert form.payload()["by_absence"] is absent


MISSING = [
    ({}, "kind"),
    ({"kind": "maybe"}, "kind"),
    ({"kind": "extractive", "evidence": json.dumps(EVIDENCE)}, "spans"),
    ({"kind": "extractive", "spans": json.dumps(MARKED)}, "evidence"),
    ({"kind": "abstractive", "text": "  ", "evidence": json.dumps(EVIDENCE)}, "text"),
    ({"kind": "abstractive", "text": "so"}, "evidence"),
    ({"kind": "yes_no", "evidence": json.dumps(EVIDENCE)}, "value"),
    ({"kind": "unanswerable", "evidence": "{"}, "evidence"),
    ({"kind": "extractive", "evidence": '[{"kind": "float"}]', "spans": json.dumps(MARKED)}, "evidence"),
    ({"kind": "extractive", "evidence": json.dumps(EVIDENCE), "spans": '[{"start": 1}]'}, "spans"),
    ({"kind": "extractive", "evidence": json.dumps(EVIDENCE), "spans": "{}"}, "spans"),
]


@pytest.mark.parametrize(("post", "field"), MISSING)
def test_anything_missing_or_malformed_is_reported_at_its_field(post, field):
    form = AnswerForm(post)
    assert not form.is_valid()
    assert list(form.errors) == [field]


def test_empty_rows_are_dropped_and_white_space_is_collapsed():
    rows = [
        {"text": " \n", "answerable_from_abstract": False},
        {"text": " Who\n counts? ", "answerable_from_abstract": False},
    ]
    form = QuestionsForm(NO_ANSWERS | {"questions": json.dumps(rows)})
    assert form.is_valid(), form.errors
    assert form.payload() == {
        "nlp_background": "",
        "topic_background": "",
        "paper_read": "",
        "search_query": "",
        "questions": [{"text": "Who counts?", "answerable_from_abstract": False}],
    }


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_a_writer_has_to_say_that_they_would_rather_not_say(name):
    rows = json.dumps([{"text": "Who counts the bells?", "answerable_from_abstract": False}])
    said = NO_ANSWERS | {"questions": rows}
    assert QuestionsForm(said).is_valid()
    del said[name]
    assert list(QuestionsForm(said).errors) == [name]


@pytest.mark.parametrize("text", ["", "[]", '[{"text": " ", "answerable_from_abstract": false}]', "[", '[{"text": 1}]'])
def test_no_question_at_all_is_refused(text):
    form = QuestionsForm(NO_ANSWERS | {"questions": text})
    assert not form.is_valid()
    assert list(form.errors) == ["questions"]


def test_more_than_a_hundred_questions_are_refused():
    rows = [{"text": f"Who counts {n}?", "answerable_from_abstract": False} for n in range(101)]
    assert "100" in str(QuestionsForm({"questions": json.dumps(rows)}).errors["questions"])


def test_a_draft_from_before_passages_keeps_its_marked_words():
    old = json.dumps([{"paragraph": 0, "start": 0, "end": 20, "quote": 'they say "paragraph": 1'}])
    draft = {"kind": "extractive", "evidence": json.dumps(EVIDENCE), "spans": old}
    shown = json.loads(AnswerForm(initial=draft)["spans"].value())
    assert shown == [{"passage": 0, "start": 0, "end": 20, "quote": 'they say "paragraph": 1'}]
    sent = AnswerForm(draft)
    assert sent.is_valid(), sent.errors
    assert sent.payload()["spans"] == json.loads(old)
