"""A published file that is imported and released again has the same JSON values, field for field, in the same order."""

import copy
import json

import pytest

from annotation.parsing.incoming import RefusedLine
from tests.protocols.qasper.builders import FIRST, SECOND, answer, paper, question, read_release, round_trip

FLOAT = "FLOAT SELECTED: Figure 1: An otter."


@pytest.fixture(scope="module")
def published(shared):
    """Four real papers."""
    return json.loads((shared / "qasper/qasper-train-4papers-v0.3.json").read_bytes())


def test_the_real_papers_have_every_value_and_the_published_order_of_keys(published):
    assert json.dumps(round_trip(published)) == json.dumps(published)


@pytest.mark.parametrize("name", ["gold.json", "mixed-types.json"])
def test_the_scored_papers_survive_a_round_trip(shared, name):
    data = json.loads((shared / "scored/qasper" / name).read_bytes())
    assert round_trip(data, split="dev") == data


def test_layout_v01_has_no_figures_and_gets_none():
    record = paper(qas=[question(answers=[answer()])])
    del record["figures_and_tables"]
    del record["qas"][0]["answers"][0]["answer"]["highlighted_evidence"]
    assert round_trip({"1901.00001": record}) == {"1901.00001": record}


def test_a_test_file_without_answers_or_questions_gets_none():
    asked = question()
    del asked["answers"]
    data = {"1": paper(qas=[asked]), "2": paper(), "3": paper(qas=[])}
    assert round_trip(data) == data


ODD = {
    "two types": {"free_form_answer": "14 of them"},
    "no type": {"extractive_spans": []},
    "unanswerable with evidence": {"unanswerable": True, "extractive_spans": []},
    "answer without evidence": {"evidence": [], "highlighted_evidence": []},
    "no by absence": {"extractive_spans": [], "yes_no": False, "evidence": [], "highlighted_evidence": []},
    "foreign evidence": {"evidence": ["not in the paper", FIRST]},
    "evidence twice": {"evidence": [FIRST, FLOAT, SECOND, FIRST], "highlighted_evidence": [FLOAT, ""]},
    "empty span": {"extractive_spans": ["", " 14 "]},
    "long text": {"extractive_spans": [], "free_form_answer": "word\n" * 200},
    "unknown key": {"confidence": 0.5, "notes": {"a": [1, None, "é🦊"]}},
}


@pytest.mark.parametrize("fields", ODD.values(), ids=ODD.keys())
def test_odd_answers_come_out_as_they_went_in(fields):
    data = {"1": paper(qas=[question(answers=[answer(1, **fields), answer(2, "b" * 40)])])}
    assert round_trip(data) == data


def test_odd_papers_come_out_as_they_went_in():
    record = paper(
        abstract="",
        full_text=[
            {"section_name": None, "paragraphs": ["Twice.", "", "Twice."]},
            {"section_name": " :::  ::: ", "paragraphs": [], "level": 3},
            {"paragraphs": ["No name at all\n\twith white space \u00a0"]},
        ],
        figures_and_tables=[{"file": "a.png", "caption": None}, {"file": None}, {"caption": "b", "page": 3}],
        licence="All rights reserved",
        venue={"year": 2020},
    )
    odd = question(topic_background=None, paper_read="", search_query="", nlp_background=None, timestamp=5)
    odd |= {"answers": [answer() | {"timestamp": "2020-01-01"}]}
    bare = {"question": "", "question_id": "x", "answers": []}
    data = {"9902.00001": record | {"qas": [odd, bare]}, "b": paper(title="", full_text=[], qas=[])}
    assert round_trip(data) == data


def test_the_same_person_may_have_answered_twice_and_both_come_out():
    data = {"1": paper(qas=[question(answers=[answer(1), answer(2)])])}
    _, asked = read_release(data)
    assert [one.worker for one in asked.annotations] == ["a" * 40, ""]
    assert "the same person answers a second time" in " ".join(asked.notes)
    assert round_trip(data) == data


def test_what_our_rules_forbid_is_noted_for_the_report(published):
    odd = copy.deepcopy(published)
    found = odd["1909.00694"]["qas"][0]["answers"][0]["answer"]
    found |= {
        "yes_no": True,
        "evidence": ["elsewhere"],
        "extractive_spans": ["nowhere"],
        "highlighted_evidence": ["x!"],
    }
    notes = " ".join(note for item in read_release(odd) for note in item.notes)
    for sentence in (
        "it has 3 answer types.",
        "evidence that is neither a paragraph nor a caption.",
        "a span that is not in the evidence.",
        "the highlight “x!” is not within one paragraph.",
    ):
        assert sentence in notes


def test_ordinary_answers_are_imported_without_a_note():
    items = read_release({"1": paper(qas=[question(answers=[answer()])])})
    assert [item.notes for item in items] == [(), ()]


def test_workers_and_ids_of_published_answers_are_kept(published):
    items = read_release(published)
    assert not [item for item in items if isinstance(item, RefusedLine)]
    assert {item.line for item in items} == {1, 2, 3, 4}
    asked = [item for item in items if item.kind == "question"]
    first = published["1909.00694"]["qas"][0]
    assert asked[0].external_id == first["question_id"]
    assert asked[0].parent == ("paper", "1909.00694")
    assert asked[0].annotations[0].external_id == first["answers"][0]["annotation_id"]
    assert asked[0].annotations[0].worker == first["answers"][0]["worker_id"]
    assert {item.split for item in items} == {"train"}
