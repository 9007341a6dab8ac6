"""Bots make valid payloads, and the known questions and answers fit the sample articles."""

from collections import Counter
from random import Random

import orjson
import pytest

from annotation.documents.words import boundaries
from annotation.parsing.incoming import IncomingItem
from annotation.parsing.sources import FileSource
from annotation.protocols.squad import demo, reading, rules
from annotation.protocols.squad.forms import FORMS
from tests.protocols.squad.builders import (
    STAGES,
    item_of,
    ours,
    paragraph_item,
    problems_at,
    question_item,
    sheet_at,
)

KNOWN = orjson.loads(demo.KNOWN.read_bytes())
ASKED = [(beginning, one) for beginning, questions in KNOWN.items() for one in questions]


@pytest.fixture(scope="module")
def paragraphs():
    """The sample paragraphs as items."""
    read = list(reading.read(FileSource(demo.ARTICLES)))
    assert all(isinstance(one, IncomingItem) and one.notes == () and one.split == "dev" for one in read)
    return [item_of(one) for one in read]


def possible(stage, payload, item, version="2.0"):
    """The payload as a model, once form, schema and check have accepted it."""
    form = FORMS[stage](FORMS[stage].fields_of(payload))
    assert form.is_valid(), form.errors
    assert form.payload() == payload
    assert problems_at(stage, payload, item, version) == []
    return STAGES[stage].schema.validate_json(orjson.dumps(payload))


@pytest.mark.parametrize(("version", "kinds"), [("1.1", {"answerable"}), ("2.0", {"answerable", "impossible"})])
def test_bots_ask_what_the_project_wants(version, kinds):
    item, found, numbers = paragraph_item(), Counter(), Counter()
    for seed in range(300):
        payload = demo.pretend(sheet_at("questions", item, version), Random(seed))
        questions = possible("questions", payload, item, version).questions
        found.update(one.kind for one in questions)
        numbers[len(questions)] += 1
    assert set(found) == kinds
    assert set(numbers) == {1, 2, 3, 4, 5}
    assert kinds == {"answerable"} or 0.25 < found["impossible"] / found.total() < 0.42


def test_bots_mark_answers_and_choose_no_answer():
    item = question_item()
    sheet = sheet_at("answer", item)
    kinds = Counter(possible("answer", demo.pretend(sheet, Random(seed)), item).kind for seed in range(200))
    assert set(kinds) == {"span", "unanswerable"}


@pytest.mark.parametrize("text", ["...", "  ", "½", "🦊 19", "漢字。漢字"])
def test_bots_answer_on_any_text(text):
    item = paragraph_item(context=text)
    sheet = rules.AnswerSheet(stage="answer", prompt="?", title="", text=text)
    for seed in range(20):
        payload = demo.pretend(sheet, Random(seed))
        assert payload == {"kind": "unanswerable"} or text[payload["span"]["start"]] not in " .。"
        assert item.documents[0].text == text


@pytest.mark.parametrize("text", [" ... \n", "½", "🦊 19", "漢字。漢字"])
def test_bots_ask_about_any_text_that_is_not_blank(text):
    item = paragraph_item(context=text)
    for seed in range(20):
        payload = demo.pretend(sheet_at("questions", item), Random(seed))
        assert all(one.span.quote.strip() for one in possible("questions", payload, item).questions)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_questions_of_bots_about_a_blank_text_are_refused(text):
    item = paragraph_item(context=text)
    problems = problems_at("questions", demo.pretend(sheet_at("questions", item), Random(1)), item)
    assert {code for _field, code in problems} == {"empty"}


def test_a_bot_rejects_the_sheet_of_another_protocol():
    with pytest.raises(TypeError):
        demo.pretend(object(), Random(1))
    with pytest.raises(TypeError):
        demo.answer_sample(object(), "an item")


def test_every_sample_paragraph_is_asked_about(paragraphs):
    assert len(paragraphs) == len(KNOWN) == 10
    for item in paragraphs:
        payload = demo.answer_sample(sheet_at("questions", item), item.external_id)
        questions = possible("questions", payload, item).questions
        assert {one.kind for one in questions} == {"answerable", "impossible"}
        for asked in rules.follow_ups(item, ours(payload, "questions")):
            question = item_of(asked, root=item)
            sheet = sheet_at("answer", question)
            known = next(one for one in demo.known_of(sheet.text) if one["text"] == sheet.prompt)
            for says in (None, "", *known.get("also", ())):
                answer = possible("answer", demo.answer_sample(sheet, asked.external_id, says), question)
                wanted = known.get("words", "") if says is None else says
                assert (answer.span.quote if answer.kind == "span" else "") == wanted


@pytest.mark.parametrize(("beginning", "known"), ASKED, ids=[one["text"] for _, one in ASKED])
def test_known_answers_are_whole_words_of_their_paragraph(paragraphs, beginning, known):
    [text] = [item.documents[0].text for item in paragraphs if item.documents[0].text.startswith(beginning)]
    assert known.keys() in ({"text", "words"}, {"text", "words", "also"}, {"text", "plausible"})
    for quote in [known.get("words"), known.get("plausible"), *known.get("also", ())]:
        if quote is not None:
            start = text.index(quote)
            assert not boundaries(text).cuts_token(start)
            assert not boundaries(text).cuts_token(start + len(quote))


def test_the_known_questions_differ():
    texts = [one["text"] for _, one in ASKED]
    assert len(texts) == len(set(texts)) == 44
    assert all(text.endswith("?") for text in texts)
