"""What can't be asked or answered about a paragraph is refused with its field and a code, by form, schema and check."""

import orjson
import pytest
from pydantic import ValidationError

from annotation.documents.spans import MarkedSpan
from annotation.errors import PayloadInvalid
from annotation.protocols.squad import rules
from annotation.protocols.squad.forms import FORMS
from annotation.protocols.squad.schemas import MOST_QUESTIONS, Config
from annotation.values.records import Context, Step
from frontend.errors import translated
from tests.protocols.squad.builders import (
    CONTEXT,
    NONE,
    STAGES,
    asked,
    marked,
    paragraph_item,
    problems_at,
    question_item,
    span,
)
from tests.protocols.wordless import SHORT_BUT_WORDS, WORDLESS

WHO, WHEN = ("Who built it?", "Anna Holt"), ("When was it built?", "1871")


def test_ordinary_questions_and_answers_are_accepted():
    assert problems_at("questions", asked(WHO, WHEN), paragraph_item()) == []
    assert problems_at("questions", asked(WHO, (*WHEN, "impossible")), paragraph_item()) == []
    assert problems_at("answer", marked("Anna Holt"), question_item()) == []
    assert problems_at("answer", NONE, question_item()) == []


def test_two_questions_may_have_the_same_words():
    assert problems_at("questions", asked(WHO, ("Whose work is it?", "Anna Holt")), paragraph_item()) == []


def test_the_same_question_twice():
    again = ("who  BUILT it?", "Skerrow")
    assert problems_at("questions", asked(WHO, WHEN, again), paragraph_item()) == [("text_3", "twice")]


def test_the_sentence_names_the_question():
    payload = STAGES["questions"].schema.validate_python(asked(WHO, WHO, ("…", "1871")), strict=False)
    found = rules.check(Context(paragraph_item(), "ask", config=Config(version="2.0")), Step("questions"), payload)
    assert [problem.message for problem in translated(PayloadInvalid(tuple(found)))] == [
        "Question 2: you have asked this question already.",
        "Question 3: write the question, or remove it.",
    ]


@pytest.mark.parametrize("text", WORDLESS)
def test_a_question_without_a_letter_or_a_digit(text):
    assert problems_at("questions", asked((text, "1871")), paragraph_item()) == [("text_1", "empty")]


@pytest.mark.parametrize("text", SHORT_BUT_WORDS)
def test_a_question_of_one_letter_or_digit_of_any_script(text):
    assert problems_at("questions", asked((text, "1871")), paragraph_item()) == []


def test_a_question_without_an_answer_in_a_project_of_1_1():
    trap = asked(WHO, (*WHEN, "impossible"))
    assert problems_at("questions", trap, paragraph_item(), version="1.1") == [("kind_2", "impossible")]
    assert problems_at("answer", NONE, question_item(), version="1.1") == []


SPANS = {
    "blank": span("by "),
    "empty": span(" "),
    "other_text": span("1871") | {"quote": "1872"},
    "no_such_place": {"passage": 0, "start": 5, "end": len(CONTEXT) + 1, "quote": "x"},
}


@pytest.mark.parametrize(("code", "wrong"), SPANS.items())
def test_words_that_are_not_in_the_paragraph_at_that_place(code, wrong):
    payload = asked(WHO, WHEN)
    payload["questions"][1]["span"] = wrong
    assert problems_at("questions", payload, paragraph_item()) == [("span_2", code)]
    assert problems_at("answer", {"kind": "span", "span": wrong}, question_item()) == [("span", code)]


def test_a_part_of_a_word_may_be_marked_and_a_part_of_a_character_not():
    assert problems_at("answer", {"kind": "span", "span": span("Skerro")}, question_item()) == []
    text = "A cafe\u0301 in Lund."
    item, payload = paragraph_item(text), asked(WHO)
    payload["questions"][0]["span"] = span("cafe", text)
    assert problems_at("questions", payload, item) == [("span_1", "cut")]
    payload["questions"][0]["span"] = span("cafe\u0301", text)
    assert problems_at("questions", payload, item) == []


def test_a_span_of_another_passage():
    wrong = span("1871") | {"passage": 1}
    assert problems_at("answer", {"kind": "span", "span": wrong}, question_item()) == [("span", "no_such_place")]


NO_PAYLOAD = [
    ("questions", {"questions": []}),
    ("questions", {"questions": asked(WHO)["questions"] * (MOST_QUESTIONS + 1)}),
    ("questions", {"questions": [{"kind": "answerable", "text": "Who?"}]}),
    ("questions", {"questions": [{"text": "Who?", "span": span("1871")}]}),
    ("questions", asked(("w" * 301, "1871"))),
    ("answer", {"kind": "span"}),
    ("answer", {"kind": "unanswerable", "span": span("1871")}),
    ("answer", {"kind": "span", "span": [span("1871")]}),
    ("answer", {"kind": "span", "span": span("1871") | {"start": "4"}}),
    ("answer", {"kind": "yes_no"}),
]


@pytest.mark.parametrize(("stage", "payload"), NO_PAYLOAD)
def test_a_payload_of_another_shape(stage, payload):
    with pytest.raises(ValidationError):
        STAGES[stage].schema.validate_json(orjson.dumps(payload))


def form_at(stage, **fields):
    return FORMS[stage](fields)


def spans(*quotes):
    return orjson.dumps([span(one) for one in quotes]).decode()


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, ["text_1"]),
        ({"text_2": "Who?"}, ["span_2"]),
        ({"text_2": "Who?", "span_2": "[]", "kind_2": "impossible"}, ["span_2"]),
        ({"span_3": spans("1871")}, ["text_3"]),
        ({"text_1": "Who?", "span_1": spans("1871"), "kind_1": "maybe"}, ["kind_1"]),
        ({"text_1": "Who?", "span_1": spans("1871", "Anna")}, ["span_1"]),
        ({"text_1": "Who?", "span_1": "{broken"}, ["span_1"]),
        ({"text_1": "w" * 301, "span_1": spans("1871")}, ["text_1"]),
    ],
)
def test_the_form_says_what_is_missing_in_the_questions(fields, wrong):
    assert list(form_at("questions", **fields).errors) == wrong


def test_empty_rows_are_ignored_and_the_default_kind_is_answerable():
    form = form_at("questions", text_2="  Who   built it? ", span_2=spans("Anna Holt"), kind_4="impossible")
    assert form.is_valid(), form.errors
    assert form.payload() == asked(WHO)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, ["kind"]),
        ({"span": spans("1871")}, ["kind"]),
        ({"kind": "span"}, ["span"]),
        ({"kind": "span", "span": spans("1871", "Anna")}, ["span"]),
        ({"kind": "span", "span": "nothing"}, ["span"]),
    ],
)
def test_the_form_says_what_is_missing_in_the_answer(fields, wrong):
    assert list(form_at("answer", **fields).errors) == wrong


def test_marked_words_are_ignored_with_no_answer():
    form = form_at("answer", kind="unanswerable", span=spans("1871"))
    assert form.is_valid()
    assert form.payload() == NONE


@pytest.mark.parametrize(
    ("stage", "payload"),
    [
        ("questions", asked(WHO)),
        ("questions", asked(WHO, (*WHEN, "impossible"), ("Where?", "Skerrow"), ("What?", "🦊 lighthouse"))),
        ("answer", marked("19 miles")),
        ("answer", NONE),
    ],
)
def test_a_form_reads_the_fields_it_makes_from_a_payload(stage, payload):
    form = FORMS[stage](FORMS[stage].fields_of(payload))
    assert form.is_valid(), form.errors
    assert form.payload() == payload


def test_what_is_marked_has_the_shape_that_all_protocols_share():
    parsed = STAGES["answer"].schema.validate_python(marked("1871"))
    assert isinstance(parsed.span, MarkedSpan)
