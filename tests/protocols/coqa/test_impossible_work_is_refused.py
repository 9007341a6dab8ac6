"""What `check` refuses of questions, answers and guesses that the schema has accepted."""

from __future__ import annotations

import pytest

from annotation.protocols.coqa import rules, schemas
from annotation.values.records import Context, ItemRecord, Step
from tests.protocols.coqa.builders import STORY, ended, read, said, talk
from tests.protocols.records import item_of
from tests.protocols.wordless import SHORT_BUT_WORDS, WORDLESS

[LINE] = read([{"id": "p1", "domain": "mctest", "story": STORY}], name="passages.jsonl")
PASSAGE = item_of(LINE)


def codes(payload, *, turns=0, activity="converse", stage="answer"):
    before = talk(turns=turns).answers
    item = ItemRecord("conversation", "c1", "dev", {}, root=PASSAGE) if activity == "guess" else PASSAGE
    context = Context(item, activity, () if activity == "guess" else before)
    return [found.code for found in rules.check(context, Step(stage, turns + 1), payload)]


def answer(text="Anna", kind="answered", **changed):
    """An answer with a rationale that fits, except for these fields of it."""
    found = said(text=text, kind=kind).payload
    if not changed:
        return found
    return found.model_copy(update={"rationale": found.rationale.model_copy(update=changed)})


def ending(answer):
    return answer.model_copy(update={"may_end": True})


@pytest.mark.parametrize("activity", ["converse", "converse_alone", "guess"])
def test_an_answer_with_its_rationale_is_possible(activity):
    assert codes(answer(), activity=activity) == []
    assert codes(schemas.Unknown(kind="unknown"), activity=activity) == []


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"quote": "by Anna Hold"}, "other_text"),
        ({"end": 10_000}, "no_such_place"),
        ({"passage": 1}, "no_such_place"),
        ({"start": 3, "end": 4, "quote": " "}, "empty"),
    ],
)
def test_a_rationale_that_is_not_in_the_passage_is_refused(changed, code):
    assert codes(answer(**changed)) == [code]


def test_a_part_of_a_word_supports_an_answer_and_a_part_of_a_character_does_not():
    assert codes(answer(start=STORY.index("Anna") + 1, quote="nna Holt")) == []
    [line] = read([{"id": "p2", "domain": "mctest", "story": "A cafe\u0301 in Lund."}], name="passages.jsonl")
    context = Context(item_of(line), "converse", talk(turns=0).answers)
    found = [
        rules.check(context, Step("answer", 1), answer(start=2, end=end, quote=quote))
        for end, quote in ((6, "cafe"), (7, "cafe\u0301"))
    ]
    assert [[one.code for one in each] for each in found] == [["cut"], []]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Yes", "answered"), ("no", "yes"), ("Anna", "no"), ("No animals", "no"), ("No, none", "answered")],
)
def test_yes_and_no_agree_with_the_words(text, kind):
    assert codes(answer(text, kind)) == ["other_kind"]


@pytest.mark.parametrize("text", WORDLESS)
def test_a_question_answer_or_guess_without_a_letter_or_a_digit_is_refused(text):
    assert codes(schemas.Asked(kind="asked", text=text), stage="question") == ["blank"]
    assert codes(answer(text)) == codes(answer(text), activity="converse_alone") == ["blank"]
    assert codes(answer(text), activity="guess", stage="guess") == ["blank"]
    assert codes(ended(6, "exhausted", text).payload, turns=5, stage="question") == ["no_reason"]
    mistyped = schemas.Verdict(verdict="no_match", mistyped=text)
    assert codes(mistyped, activity="guess", stage="verdict") == ["blank"]


@pytest.mark.parametrize("text", SHORT_BUT_WORDS)
def test_one_letter_or_digit_of_any_script_is_enough(text):
    assert codes(schemas.Asked(kind="asked", text=text), stage="question") == []
    assert codes(answer(text)) == codes(answer(text), activity="guess", stage="guess") == []
    assert codes(schemas.Verdict(verdict="no_match", mistyped=text), activity="guess", stage="verdict") == []


def test_nothing_has_to_be_mistyped():
    assert codes(schemas.Verdict(verdict="match"), activity="guess", stage="verdict") == []


@pytest.mark.parametrize(
    ("turns", "why", "reason", "expected"),
    [
        (9, "done", "", ["too_early"]),
        (10, "done", "", []),
        (4, "exhausted", "It tells no more.", ["too_early"]),
        (5, "exhausted", "It tells no more.", []),
        (5, "exhausted", "  ", ["no_reason"]),
    ],
)
def test_a_conversation_is_not_ended_too_early(turns, why, reason, expected):
    assert codes(ended(turns + 1, why, reason).payload, turns=turns, stage="question") == expected


def test_the_answerer_proposes_the_end_with_the_tenth_answer_at_the_earliest():
    assert codes(ending(answer()), turns=8) == ["too_early"]
    assert codes(ending(answer()), turns=9) == []
    assert codes(ending(schemas.Unknown(kind="unknown")), turns=8) == ["too_early"]


@pytest.mark.parametrize("activity", ["converse_alone", "guess"])
def test_nobody_proposes_an_end_to_themselves(activity):
    assert codes(ending(answer()), turns=15, activity=activity) == ["too_early"]
