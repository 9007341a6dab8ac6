"""Bots ask and answer validly and in the published shares, and the samples have known answers."""

from collections import Counter
from random import Random

import orjson
import pytest

from annotation.parsing.incoming import IncomingItem
from annotation.parsing.sources import FileSource
from annotation.protocols.qasper import demo, formats, rules
from annotation.protocols.qasper.forms import FORMS
from annotation.protocols.qasper.protocol import PROTOCOL
from tests.protocols.qasper.builders import (
    STAGES,
    item_of,
    ours,
    paper_item,
    problems_at,
    question_item,
    sheet_at,
    sheet_of,
)

EMPTY = {"full_text": [{"section_name": None, "paragraphs": ["", " "]}], "figures_and_tables": []}


def possible(stage, payload, item):
    """Whether form, schema and check accept a payload."""
    form = FORMS[stage](FORMS[stage].fields_of(payload))
    assert form.is_valid(), form.errors
    assert form.payload() == payload
    parsed = STAGES[stage].schema.validate_json(orjson.dumps(payload))
    assert problems_at(stage, parsed, item, ()) == []
    return parsed


@pytest.fixture(scope="module")
def papers():
    """The sample papers as items, by id."""
    read = list(formats.read(FileSource(demo.PAPERS)))
    assert all(isinstance(one, IncomingItem) for one in read)
    assert [note for one in read for note in one.notes] == []
    return {one.external_id: item_of(one) for one in read}


def test_answers_are_possible_and_come_in_the_published_shares():
    item = question_item()
    sheet, kinds = sheet_of(item), Counter()
    for seed in range(1000):
        payload = demo.pretend(sheet, Random(seed))
        kinds[possible("answer", payload, item).kind] += 1
    shares = {"extractive": 0.518, "abstractive": 0.242, "yes_no": 0.139, "unanswerable": 0.102}
    for kind, share in shares.items():
        assert kinds[kind] / 1000 == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("fields", [{}, EMPTY, {"full_text": []}, {"figures_and_tables": [{"file": "a"}]}])
def test_answers_are_possible_on_any_paper(fields):
    item = question_item(**fields)
    for seed in range(100):
        possible("answer", demo.pretend(sheet_of(item), Random(seed)), item)


@pytest.mark.parametrize("abstract", ["We watch otters.", "A b c.", "獺が寝る。"])
def test_questions_are_possible(abstract):
    item = paper_item(abstract=abstract)
    sheet = sheet_at("questions", item, ())
    for seed in range(100):
        payload = demo.pretend(sheet, Random(seed))
        assert len(possible("questions", payload, item).questions) <= 6


def test_the_same_seed_gives_the_same_answers():
    sheet = sheet_of(question_item())
    assert demo.pretend(sheet, Random(3)) == demo.pretend(sheet, Random(3))
    with pytest.raises(TypeError):
        demo.pretend(object(), Random(3))
    with pytest.raises(TypeError):
        demo.answer_sample(object(), "sample.0001")


def test_every_sample_question_can_be_asked_and_answered_as_known(papers):
    answered = Counter()
    for paper_id, known in demo.known().items():
        item = papers[paper_id]
        sheet = sheet_at("questions", item, ())
        payload = demo.answer_sample(sheet, paper_id)
        possible("questions", payload, item)
        made = rules.follow_ups(item, ours(payload, "questions", "ask"))
        assert len(made) == len(known["questions"])
        for one, question in zip(made, known["questions"], strict=True):
            asked = item_of(one, root=item)
            found = demo.answer_as_known(sheet_of(asked), question["answer"])
            answered[possible("answer", found, asked).kind] += 1
            assert demo.answer_sample(sheet_of(asked), one.external_id) == found
            other = demo.answer_sample(sheet_of(asked), one.external_id, {question["text"]: {"kind": "unanswerable"}})
            assert possible("answer", other, asked).kind == "unanswerable"
    assert set(answered) == {"extractive", "abstractive", "yes_no", "unanswerable"}


def test_a_known_answer_that_is_not_in_the_paper_is_not_an_answer():
    sheet = sheet_of(question_item())
    for unit in ({"kind": "float", "quote": "x"}, {"kind": "sentences", "quote": "They sleep"}):
        with pytest.raises(LookupError):
            demo.answer_as_known(sheet, {"kind": "abstractive", "text": "x", "evidence": [unit]})
    evidence = [{"kind": "sentences", "quote": "They sleep on 🦊 kelp."}]
    with pytest.raises(LookupError):
        demo.answer_as_known(sheet, {"kind": "extractive", "spans": [{"quote": "x"}], "evidence": evidence})


def test_the_images_of_the_samples_are_imported(papers):
    assert PROTOCOL.demo.items == demo.PAPERS
    for paper in papers.values():
        floats = orjson.loads(paper.documents[0].source)["figures_and_tables"]
        assert len(paper.documents) == 1 + len(floats)
