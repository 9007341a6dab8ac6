"""Every impossible question or answer about a paper is refused by schema or check, and possible ones are not."""

import orjson
import pytest
from pydantic import ValidationError

from annotation.protocols.qasper.schemas import ANSWER, QUESTIONS
from tests.protocols.qasper.builders import (
    FIRST,
    SECOND,
    float_unit,
    paper_item,
    problems_at,
    question_item,
    sentences,
    span,
)
from tests.protocols.wordless import SHORT_BUT_WORDS, WORDLESS

OTTERS = sentences(0, 0, 1, "Otters hold hands (see Fig. 1).")
KELP = sentences(0, 1, 2, "They sleep on 🦊 kelp.")
BOTH = sentences(0, 0, 2, "Otters hold hands (see Fig. 1). They sleep on 🦊 kelp.")
JUGGLE = sentences(2, 0, 2, SECOND)
FIGURE = float_unit(0, "Figure 1: An otter.")

POSSIBLE = {
    "unanswerable": {"kind": "unanswerable"},
    "one span": {"kind": "extractive", "spans": [span(0, "kelp")], "evidence": [KELP]},
    "a span over two units": {"kind": "extractive", "spans": [span(0, "1). They")], "evidence": [KELP, OTTERS]},
    "a span of a whole run": {"kind": "extractive", "spans": [span(0, BOTH["quote"])], "evidence": [BOTH]},
    "two spans, figure too": {
        "kind": "extractive",
        "spans": [span(0, "kelp"), span(0, "🦊")],
        "evidence": [FIGURE, KELP, JUGGLE],
    },
    "yes": {"kind": "yes_no", "value": True, "evidence": [FIGURE], "by_absence": False},
    "no by absence": {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True},
    "60 words": {"kind": "abstractive", "text": "word " * 60, "evidence": [JUGGLE]},
}


@pytest.fixture(scope="module")
def item():
    return question_item()


def problems_of(item, payload):
    """(field, code) of the problems that check reports."""
    found = problems_at("answer", ANSWER.validate_json(orjson.dumps(payload)), item, ())
    assert all(problem.message.endswith(".") for problem in found)
    return [(problem.field, problem.code) for problem in found]


@pytest.mark.parametrize("payload", POSSIBLE.values(), ids=POSSIBLE.keys())
def test_possible_answers_are_accepted(item, payload):
    assert problems_of(item, payload) == []


def extractive(*spans, evidence=(KELP,)):
    return {"kind": "extractive", "spans": list(spans), "evidence": list(evidence)}


def yes_no(**fields):
    return {"kind": "yes_no", "value": True, "evidence": [], "by_absence": False} | fields


def words(text):
    return {"kind": "abstractive", "text": text, "evidence": [KELP]}


IMPOSSIBLE = [
    (extractive(span(0, "hands")), "spans.0", "outside"),
    (extractive(span(0, "kelp"), span(2, "juggle", SECOND)), "spans.1", "outside"),
    (extractive(span(0, "1). They")), "spans.0", "outside"),
    (extractive(span(0, "kelp"), evidence=[FIGURE]), "spans.0", "outside"),
    (extractive(span(0, "kelp") | {"quote": "Kelp"}), "spans.0", "other_text"),
    (extractive(span(0, "kelp") | {"start": 50, "end": 50, "quote": ""}), "spans.0", "empty"),
    (extractive(span(0, "kelp") | {"end": 33, "quote": ""}), "spans.0", "empty"),
    (extractive(span(0, " kelp")), "spans.0", "blank"),
    (extractive(span(0, "🦊 kelp"), span(0, "kelp")), "spans.1", "overlap"),
    (extractive(span(0, "kelp"), evidence=[KELP, BOTH]), "evidence.1", "twice"),
    (extractive(span(0, "kelp"), evidence=[KELP, FIGURE, FIGURE]), "evidence.2", "twice"),
    (extractive(span(0, "kelp"), evidence=[KELP | {"quote": "They sleep."}]), "evidence.0", "other_text"),
    (extractive(span(0, "kelp"), evidence=[KELP, float_unit(1, "Figure 1: An otter.")]), "evidence.1", "other_text"),
    (extractive(span(0, "kelp"), evidence=[KELP, float_unit(2, "")]), "evidence.1", "no_such_float"),
    (extractive(span(0, "kelp"), evidence=[KELP | {"paragraph": 9}]), "evidence.0", "no_such_sentences"),
    (extractive(span(0, "kelp"), evidence=[KELP | {"end": 1}]), "evidence.0", "no_such_sentences"),
    (extractive(span(0, "kelp"), evidence=[KELP | {"end": 2**31}]), "evidence.0", "no_such_sentences"),
    (extractive(span(0, "kelp"), evidence=[sentences(1, 0, 1, "")]), "evidence.0", "no_such_sentences"),
    (yes_no(), "evidence", "no_evidence"),
    (yes_no(value=False), "evidence", "no_evidence"),
    (yes_no(by_absence=True), "by_absence", "yes_by_absence"),
    (yes_no(value=False, by_absence=True, evidence=[KELP]), "by_absence", "absence_with_evidence"),
    (words("word " * 61), "text", "too_long"),
]


@pytest.mark.parametrize(("payload", "field", "code"), IMPOSSIBLE)
def test_impossible_answers_are_refused(item, payload, field, code):
    assert problems_of(item, payload) == [(field, code)]


@pytest.mark.parametrize("text", WORDLESS)
def test_an_answer_or_a_question_without_a_letter_or_a_digit(item, text):
    assert problems_of(item, words(text)) == [("text", "empty")]
    found = problems_at("questions", asked(f"{text} {text} {text}", f"Why {text} rest?"), paper_item(), ())
    assert [(problem.field, problem.code) for problem in found] == [
        ("questions.0", "too_short"),
        ("questions.1", "too_short"),
    ]


@pytest.mark.parametrize("text", SHORT_BUT_WORDS)
def test_an_answer_of_one_letter_or_digit_of_any_script(item, text):
    assert problems_of(item, words(text)) == []


NOT_ONE_TYPE = [
    {"kind": "unanswerable", "evidence": []},
    {"kind": "unanswerable", "value": False},
    extractive(span(0, "kelp")) | {"text": "kelp"},
    yes_no(evidence=[KELP]) | {"spans": []},
    words("kelp") | {"value": True},
    extractive(),
    extractive(span(0, "kelp"), evidence=[]),
    words("kelp") | {"evidence": []},
    {"kind": "yes_no", "value": True, "evidence": [KELP]},
    {"kind": "none"},
    yes_no(value=None),
    extractive(span(0, "kelp") | {"start": -1}),
    extractive(span(0, "kelp") | {"start": 1.0}),
    extractive(span(0, "kelp"), evidence=[FIGURE | {"paragraph": 0}]),
]


@pytest.mark.parametrize("payload", NOT_ONE_TYPE)
def test_no_schema_accepts_two_types_or_half_of_one(payload):
    with pytest.raises(ValidationError):
        ANSWER.validate_json(orjson.dumps(payload))


def asked(*texts, **fields):
    found = {"nlp_background": "", "topic_background": "", "paper_read": "no", "search_query": ""}
    questions = [{"text": text, "answerable_from_abstract": False} for text in texts]
    return QUESTIONS.validate_json(orjson.dumps(found | {"questions": questions} | fields))


QUESTIONABLE = [
    (["Why rest?"], [("questions.0", "too_short")]),
    (["Who counts them?", "why " * 61], [("questions.1", "too_long")]),
    (["we watch  OTTERS"], [("questions.0", "copied")]),
    (["They rest a lot, and we ask why that is so?"], [("questions.0", "copied")]),
    (["Who counts them?", "How many are there?", "who counts THEM"], [("questions.2", "twice")]),
    (["Who counts them?", "How many are there?", "Is it? Is it so?", "why " * 60], []),
]


@pytest.mark.parametrize(("texts", "expected"), QUESTIONABLE)
def test_questions_have_3_to_60_words_of_their_own(texts, expected):
    found = problems_at("questions", asked(*texts), paper_item(), ())
    assert [(problem.field, problem.code) for problem in found] == expected


@pytest.mark.parametrize(
    ("one", "other", "asked_about"),
    [
        ("How many otters does the north colony have?", "Does the colony have many north otters?", True),
        ("How many otters does the north colony have?", "Is the north colony of otters old?", False),
        ("What is it?", "Who is it?", False),
    ],
)
def test_a_question_very_similar_to_an_earlier_one_is_queried_once(one, other, asked_about):
    found = problems_at("questions", asked(one, other), paper_item(), ())
    assert [(problem.field, problem.code) for problem in found] == [("questions.1", "alike")] * asked_about
    kept = [{"text": text, "answerable_from_abstract": False, "kept": text == other} for text in (one, other)]
    assert problems_at("questions", asked(questions=kept), paper_item(), ()) == []


def test_nobody_can_ask_about_a_paper_without_an_abstract():
    found = problems_at("questions", asked("Who counts them?"), paper_item(abstract=" "), ())
    assert [problem.code for problem in found] == ["no_abstract"]


@pytest.mark.parametrize(
    "fields", [{"questions": []}, {"nlp_background": "ten"}, {"paper_read": False}, {"search_query": "x" * 501}]
)
def test_what_a_writer_says_about_themselves_is_one_of_the_published_values(fields):
    with pytest.raises(ValidationError):
        asked("Who counts them?", **fields)


def test_spans_count_code_points_and_not_utf16_units(item):
    start = len(FIRST[: FIRST.index("kelp")].encode("utf-16-le")) // 2
    shifted = {"paragraph": 0, "start": start, "end": start + 4, "quote": "kelp"}
    assert problems_of(item, extractive(shifted)) == [("spans.0", "other_text")]
