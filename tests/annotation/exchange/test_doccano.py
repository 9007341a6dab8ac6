"""Exports of doccano come into a project: marks as lists or as objects, and classes as choices."""

from __future__ import annotations

import json

import pytest

from annotation.errors import ImportRefused
from annotation.imports.run import LinesRefused
from annotation.models import Item
from tests.annotation.exchange.exports import ASKED, TEXT, collection, questions_of, take_in, take_in_file
from tests.builders import project

PLAIN = "The mill at Lund was built in 1871."


@pytest.fixture
def squad(db):
    return project("switched", "squad")


def lines(*records):
    return b"".join(json.dumps({"question": ASKED, "text": PLAIN} | each).encode() + b"\n" for each in records)


def refused(into, tmp_path, *records, **options):
    with pytest.raises(LinesRefused) as found:
        take_in(into, tmp_path, lines(*records), name="all.jsonl", **options)
    assert not Item.objects.exists()
    return [(one.line, one.field, one.reason) for one in found.value.report.refused]


@pytest.mark.parametrize(
    "said",
    [
        {"label": [[12, 16, "ANSWER"]]},
        {"labels": [[12, 16, "ANSWER"]]},
        {"entities": [{"id": 9, "label": "ANSWER", "start_offset": 12, "end_offset": 16}], "relations": []},
        {"label": [[12, 16, "ANSWER"]], "Comments": [], "meta": {}, "annotation_approver": None},
    ],
)
def test_a_mark_of_each_version_becomes_the_answer(squad, tmp_path, said):
    report = take_in(squad, tmp_path, lines({"id": 1} | said), name="all.jsonl")
    assert report.read_as == "Read as an export of doccano, with what is asked in the field question."
    assert questions_of(squad) == {ASKED: ["12:Lund"]}
    assert list(report.notes) == []


def test_lines_of_several_people_about_the_same_example_are_one_question(squad, tmp_path):
    take_in(squad, tmp_path, lines({"label": [[12, 16, "A"]]}, {"label": [[9, 16, "A"]]}), name="all.jsonl")
    assert questions_of(squad) == {ASKED: ["12:Lund", "9:at Lund"]}


def test_classes_are_choices(squad, tmp_path):
    take_in(squad, tmp_path, lines({"label": ["no_answer"]}), name="all.jsonl")
    assert Item.objects.get(kind="question").payload["is_impossible"] is True


def test_relations_and_comments_are_left_out_with_a_note(squad, tmp_path):
    said = {"entities": [], "relations": [{"id": 1, "from_id": 1, "to_id": 2, "type": "x"}], "Comments": ["why?"]}
    report = take_in(squad, tmp_path, lines(said), name="all.jsonl")
    assert {note.text for note in report.notes} == {
        "Nothing is marked, so nobody has answered here.",
        "Relations were left out.",
        "Comments were left out.",
    }


def test_a_mark_behind_an_emoji_is_taken_by_characters_and_a_note_asks_to_look(squad, tmp_path):
    report = take_in(squad, tmp_path, lines({"text": TEXT, "label": [[38, 47, "A"]]}), name="all.jsonl")
    assert questions_of(squad) == {ASKED: ["38:Anna Holt"]}
    [note] = report.notes
    assert "look whether the mark is right" in note.text


@pytest.mark.parametrize(
    ("said", "field", "reason"),
    [
        ({"label": [[12, 36, "A"]]}, "label[0]", "A mark ends at 36, and the text has 35 characters."),
        ({"label": [[12, 16]]}, "label[0]", "A mark is not [start, end, label]."),
        ({"label": [[12, 16, "A", 1]]}, "label[0]", "A mark is not [start, end, label]."),
        ({"label": [7]}, "label[0]", "A mark is not [start, end, label]."),
        ({"label": [["12", 16, "A"]]}, "label[0][0]", "The place of a mark is not an integer."),
        ({"label": [[12, 16.0, "A"]]}, "label[0][1]", "The place of a mark is not an integer."),
        ({"label": [[12, 16, None]]}, "label[0][2]", "This is null, not text."),
        ({"label": ["positive"]}, "label[0]", "The choice “positive” means neither yes, no nor no answer."),
        ({"label": [[12, 16, "A"], "no answer"]}, "label", "One annotation has several answers of different kinds."),
        ({"label": "A"}, "label", "This is text, not a list."),
        ({}, "label", "The field is missing: this is no export of sequence labelling or classes."),
        ({"entities": [{"label": "A", "end_offset": 3}]}, "entities[0].start_offset", "The place of a mark is not an"),
        (
            {"label": [[0, 3, "A"], [4, 8, "B"]]},
            "label",
            "The marks have the labels A, B: say which one has the answers.",
        ),
    ],
)
def test_a_record_that_says_no_answer_is_refused_by_its_field(squad, tmp_path, said, field, reason):
    good = {"label": [[12, 16, "A"]], "question": "Where?"}
    [(line, where, why)] = refused(squad, tmp_path, good, said)
    assert (line, where) == (2, field)
    assert why.startswith(reason)


def test_a_mark_up_to_the_end_of_the_text_is_taken(squad, tmp_path):
    take_in(squad, tmp_path, lines({"label": [[30, 35, "A"]]}), name="all.jsonl")
    assert questions_of(squad) == {ASKED: ["30:1871."]}


def test_a_zip_with_a_file_for_each_person_is_read_as_one(squad, tmp_path):
    files = {"ann_jsonl": lines({"label": [[12, 16, "A"]]}), "ben_jsonl": lines({"label": [[9, 16, "A"]]})}
    report = take_in_file(squad, collection(tmp_path, **files))
    assert report.read_as == "Read as an export of doccano, with what is asked in the field question."
    assert questions_of(squad) == {ASKED: ["12:Lund", "9:at Lund"]}


def test_a_refused_line_of_such_a_zip_is_named_by_its_file(squad, tmp_path):
    files = {"ann_jsonl": lines({"label": []}), "ben_jsonl": b"\n" + lines({"label": [[9, 99, "A"]]}) + b"{"}
    with pytest.raises(LinesRefused) as found:
        take_in_file(squad, collection(tmp_path, **files))
    assert [(one.line, one.field) for one in found.value.report.refused] == [
        (2, "ben.jsonl, label[0]"),
        (3, "ben.jsonl"),
    ]


def test_a_file_of_such_a_zip_that_unpacks_to_a_hundred_times_its_size_is_refused(squad, tmp_path):
    path = collection(tmp_path, ann_jsonl=lines({"label": []}), ben_jsonl=b" " * 20_000_000)
    with pytest.raises(ImportRefused, match="compressed to less than a hundredth of its size"):
        take_in_file(squad, path, tool="doccano")
