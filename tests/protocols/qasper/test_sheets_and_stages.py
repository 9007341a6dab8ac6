"""A question writer sees title and abstract, an answerer the paper and the question, and neither anything else."""

import dataclasses

import orjson
import pytest

from annotation.errors import NotFound
from annotation.protocols.qasper import rules
from annotation.protocols.qasper.schemas import QUESTIONS
from annotation.values.records import AnnotationRecord, GivenAnswer
from tests.protocols.qasper.builders import (
    FIRST,
    item_of,
    paper,
    paper_item,
    question,
    read_release,
    sheet_at,
    sheet_of,
    stage_after,
)

WRITTEN = {
    "nlp_background": "two",
    "topic_background": "",
    "paper_read": "yes",
    "search_query": "otter",
    "questions": [
        {"text": "How many otters are there?", "answerable_from_abstract": False},
        {"text": "Who counted the otters?", "answerable_from_abstract": True},
    ],
}


def said(payload=WRITTEN):
    return (GivenAnswer("questions", QUESTIONS.validate_json(orjson.dumps(payload)), "qasper.questions/1"),)


@pytest.fixture
def items():
    """A published paper with a question, and what its writer and answerers said."""
    asked = question(nlp_background="BG", topic_background="TB", paper_read="PR", search_query="SQ")
    found = read_release({"2001.00001": paper(qas=[asked], licence="LICENCE", venue="VENUE")})
    root = item_of(found[0])
    return root, item_of(found[1], root=root)


def test_a_writer_sees_title_and_abstract_and_nothing_else(items):
    sheet = sheet_at("questions", items[0], ())
    assert dataclasses.asdict(sheet) == {
        "stage": "questions",
        "images": (),
        "prompt": "Otters at rest",
        "lang": "",
        "dir": "",
        "frame": None,
        "title": "Otters at rest",
        "abstract": "We watch otters. They rest a lot, and we ask why that is so.",
    }


def test_the_payload_of_a_paper_has_nothing_of_its_text(items):
    payload = orjson.dumps(items[0].payload).decode()
    for hidden in ("hold hands", "Introduction", "Table 1", "VENUE", "How many otters", "wwww"):
        assert hidden not in payload


def test_an_answerer_sees_the_whole_paper_and_one_question(items):
    sheet = sheet_of(items[1])
    assert (sheet.prompt, sheet.title, sheet.licence) == (
        "How many otters were counted on day 1?",
        "Otters at rest",
        "LICENCE",
    )
    assert [section.headings for section in sheet.sections] == [("Introduction",), ("Method", "Counting"), ()]
    assert [len(section.paragraphs) for section in sheet.sections] == [3, 1, 0]
    first = sheet.sections[0].paragraphs[0]
    assert (first.index, first.text) == (0, FIRST)
    assert [one.text for one in first.sentences][:2] == ["Otters hold hands (see Fig. 1).", "They sleep on 🦊 kelp."]
    assert all(first.text[one.start : one.end] == one.text for one in first.sentences)
    assert [(one.kind, one.caption) for one in sheet.floats] == [
        ("figure", "Figure 1: An otter."),
        ("table", "Table 1: Otters by river."),
    ]


def test_an_answerer_sees_nothing_of_who_asked(items):
    sheet = orjson.dumps(dataclasses.asdict(sheet_of(items[1])), default=list).decode()
    for hidden in ("BG", "TB", "PR", "SQ", "wwww", "VENUE", f"{1:040x}"):
        assert f'"{hidden}' not in sheet


def test_each_stage_is_for_its_own_kind_of_item(items):
    for stage, item in (("answer", items[0]), ("questions", items[1]), ("other", items[1])):
        with pytest.raises(NotFound):
            sheet_at(stage, item, ())


def test_both_activities_have_one_stage(items):
    assert stage_after("ask", ()) == "questions"
    assert stage_after("answer", ()) == "answer"
    assert stage_after("ask", said()) is None
    assert stage_after("answer", (GivenAnswer("answer", object()),)) is None


def test_every_question_becomes_an_item_under_its_paper():
    item = paper_item()
    made = rules.follow_ups(item, AnnotationRecord("ask", said(), id_hex="ab" * 20))
    assert [one.payload["question"] for one in made] == ["How many otters are there?", "Who counted the otters?"]
    assert {(one.kind, one.line, one.split, one.parent) for one in made} == {
        ("question", 0, "train", ("paper", "2001.00001"))
    }
    assert made[1].payload == {
        "question": "Who counted the otters?",
        "nlp_background": "two",
        "paper_read": "yes",
        "search_query": "otter",
        "answerable_from_abstract": True,
    }
    assert all(len(one.external_id) == 40 and int(one.external_id, 16) for one in made)


def test_the_same_annotation_always_gives_the_same_ids_and_another_one_gives_others():
    item = paper_item()
    ids = [one.external_id for one in rules.follow_ups(item, AnnotationRecord("ask", said(), id_hex="ab" * 20))]
    again = [one.external_id for one in rules.follow_ups(item, AnnotationRecord("ask", said(), id_hex="ab" * 20))]
    other = [one.external_id for one in rules.follow_ups(item, AnnotationRecord("ask", said(), id_hex="cd" * 20))]
    assert ids == again
    assert len({*ids, *other}) == 4


def test_an_answer_creates_no_item(items):
    assert rules.follow_ups(items[1], AnnotationRecord("answer", ())) == ()
