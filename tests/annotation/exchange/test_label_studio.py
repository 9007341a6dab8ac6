"""Exports of Label Studio, JSON and JSON-MIN, come into a project: marks are checked against the text."""

from __future__ import annotations

import pytest

from annotation.errors import ImportRefused
from annotation.imports.run import LinesRefused
from annotation.models import Item
from tests.annotation.exchange.exports import (
    ASKED,
    HOLT,
    TEXT,
    annotations_of,
    chosen,
    mark,
    questions_of,
    row,
    take_in,
    task,
)
from tests.builders import project


@pytest.fixture
def squad(db):
    return project("switched", "squad")


def refused(into, tmp_path, data, **options):
    with pytest.raises(LinesRefused) as found:
        take_in(into, tmp_path, data, **options)
    assert not Item.objects.exists()
    return [(one.line, one.field, one.reason) for one in found.value.report.refused]


def notes(report):
    return [note.text for note in report.notes]


def test_a_task_becomes_a_question_about_its_text_with_an_answer_for_each_annotation(squad, tmp_path):
    export = [task([mark(*HOLT, "Anna Holt")], [mark(38, 42, "Anna")])]
    report = take_in(squad, tmp_path, export)
    assert report.read_as == "Read as an export of Label Studio, with what is asked in the field question."
    assert (report.items, report.annotations) == (2, 2)
    assert questions_of(squad) == {ASKED: ["38:Anna Holt", "38:Anna"]}
    paragraph = Item.objects.get(kind="paragraph")
    assert paragraph.split == "train"
    assert paragraph.payload["title"] == TEXT[:60].rsplit(" ", 1)[0] + "…"
    assert Item.objects.get(kind="question").payload["is_impossible"] is False


def test_as_items_to_work_on_no_answer_comes_along(squad, tmp_path):
    report = take_in(squad, tmp_path, [task([mark(*HOLT, "Anna Holt")])], published=False)
    assert (report.items, report.annotations, annotations_of(squad)) == (2, 0, 0)
    payload = Item.objects.get(kind="question").payload
    assert payload == {"question": ASKED}
    assert notes(report) == ["Its answers were left out."]


def test_rows_of_json_min_that_ask_the_same_are_one_question(squad, tmp_path):
    export = [row(1, mark(*HOLT, "Anna Holt")), row(2, mark(38, 42, "Anna"))]
    report = take_in(squad, tmp_path, export)
    assert report.items == 2
    assert questions_of(squad) == {ASKED: ["38:Anna Holt", "38:Anna"]}


def test_one_question_for_all_texts_takes_the_place_of_a_field(squad, tmp_path):
    export = [task([mark(*HOLT, "Anna Holt")]) | {"data": {"body": TEXT}}]
    report = take_in(squad, tmp_path, export, text_field="body", prompt="Who is named?")
    assert report.read_as == "Read as an export of Label Studio, asking “Who is named?” about each text."
    assert questions_of(squad) == {"Who is named?": ["38:Anna Holt"]}


def test_places_in_utf_16_units_are_counted_again_and_a_note_says_so(squad, tmp_path):
    report = take_in(squad, tmp_path, [task([mark(39, 48, "Anna Holt")])])
    assert questions_of(squad) == {ASKED: ["38:Anna Holt"]}
    [said] = notes(report)
    assert "count UTF-16 units, as in browsers" in said


def test_a_mark_whose_words_are_elsewhere_is_refused_with_both(squad, tmp_path):
    [found] = refused(squad, tmp_path, [task([mark(0, 9, "Anna Holt")])])
    assert found == (
        1,
        "annotations[0].result[0].value",
        "The text has “The mill ” at 0–9, and not the words of the mark, “Anna Holt”.",
    )


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"start": 0, "end": len(TEXT) + 1}, f"A mark ends at {len(TEXT) + 1}, and the text has {len(TEXT)}"),
        ({"start": 5, "end": 5}, "A mark ends before it begins, or is empty."),
        ({"start": -1, "end": 5}, "The place of a mark is below 0."),
        ({"start": 1.5, "end": 5}, "The place of a mark is not an integer."),
        ({"start": True, "end": 5}, "The place of a mark is not an integer."),
        ({"start": None, "end": 5}, "The place of a mark is not an integer."),
        ({"start": 3, "end": 4}, "The mark at 3–4 has only spaces."),
        ({"start": "/div[1]/p[2]/text()[1]", "end": "/div[1]/p[2]/text()[1]"}, "The mark is in HTML"),
        ({"start": "/text()[1]", "end": "/text()[1]", "startOffset": 0, "endOffset": 3}, "has no words to find it by"),
        ({"start": 0, "end": 3, "labels": ["A", "B"]}, "A mark has several labels."),
        ({"start": 0, "end": 3, "labels": [7]}, "This is an integer, not text."),
        ({"start": 0, "end": 3, "text": 7}, "This is an integer, not text."),
        ({"start": 0, "end": 10**30}, "A mark ends at 1,000,000"),
    ],
)
def test_a_mark_that_is_no_place_in_the_text_is_refused(squad, tmp_path, value, reason):
    result = {"from_name": "a", "to_name": "text", "type": "labels", "value": {"labels": ["Answer"]} | value}
    [(line, field, why)] = refused(squad, tmp_path, [task([result])])
    assert line == 1
    assert field.startswith("annotations[0].result[0].value")
    assert reason in why


def test_the_last_character_of_a_text_can_be_marked(squad, tmp_path):
    take_in(squad, tmp_path, [task([mark(len(TEXT) - 1, len(TEXT), ".")])])
    assert questions_of(squad) == {ASKED: [f"{len(TEXT) - 1}:."]}


def test_offsets_of_the_whole_text_place_a_mark_in_an_older_export(squad, tmp_path):
    path = {"start": "/text()[1]", "end": "/text()[1]", "startOffset": 0, "endOffset": 0}
    older = mark(0, 0, "Anna Holt", **path, globalOffsets={"start": 38, "end": 47})
    take_in(
        squad, tmp_path, [{"id": 1, "data": {"text": TEXT, "question": ASKED}, "completions": [{"result": [older]}]}]
    )
    assert questions_of(squad) == {ASKED: ["38:Anna Holt"]}


def test_a_line_break_in_a_mark_may_be_written_as_two_characters(squad, tmp_path):
    text = "Anna\nHolt ran it."
    take_in(squad, tmp_path, [task([mark(0, 9, "Anna\\nHolt")], text=text)])
    assert questions_of(squad) == {ASKED: ["0:Anna\nHolt"]}


def test_the_choice_no_answer_makes_a_question_impossible(squad, tmp_path):
    take_in(squad, tmp_path, [task([chosen("No answer")])])
    assert Item.objects.get(kind="question").payload["is_impossible"] is True
    assert annotations_of(squad) == 0


def test_of_marks_and_no_answers_the_majority_is_taken_and_in_a_tie_the_marks(squad, tmp_path):
    none, holt = [chosen("unanswerable")], [mark(*HOLT, "Anna Holt")]
    export = [task(none, holt, question="A tie?"), task(none, holt, none, question="Two to one?")]
    report = take_in(squad, tmp_path, export)
    assert questions_of(squad) == {"A tie?": ["38:Anna Holt"], "Two to one?": []}
    impossible = (
        Item.objects.filter(kind="question").order_by("position").values_list("payload__is_impossible", flat=True)
    )
    assert list(impossible) == [False, True]
    assert len(notes(report)) == 2


def test_where_nothing_is_marked_nobody_has_answered_unless_a_lead_says_otherwise(squad, tmp_path):
    report = take_in(squad, tmp_path, [task([])])
    assert "is_impossible" not in Item.objects.get(kind="question").payload
    assert notes(report) == ["Nothing is marked, so nobody has answered here."]
    other = project("other", "squad")
    take_in(other, tmp_path, [task([])], unmarked_is_none=True)
    assert Item.objects.get(kind="question", project=other).payload["is_impossible"] is True


def test_what_was_skipped_predicted_or_related_is_left_out_with_a_note(squad, tmp_path):
    skipped = {"was_cancelled": True, "result": [mark(0, 3, "The")]}
    relation = {"type": "relation", "from_id": "r1", "to_id": "r2", "direction": "right"}
    export = task(skipped, [mark(*HOLT, "Anna Holt"), relation]) | {"predictions": [{"result": [mark(0, 3, "The")]}]}
    report = take_in(squad, tmp_path, [export])
    assert questions_of(squad) == {ASKED: ["38:Anna Holt"]}
    assert len(notes(report)) == 3


def test_two_marks_are_refused_where_an_answer_has_one_unless_each_is_an_answer(squad, tmp_path):
    export = [task([mark(*HOLT, "Anna Holt"), mark(4, 8, "mill")])]
    [(line, _field, reason)] = refused(squad, tmp_path, export)
    assert (line, reason) == (
        1,
        "The answer has 2 marks; here it has one. If each is an answer of its own, say so.",
    )
    take_in(squad, tmp_path, export, apart=True)
    assert questions_of(squad) == {ASKED: ["4:mill", "38:Anna Holt"]}


def test_marks_of_several_labels_need_a_lead_who_says_which_are_answers(squad, tmp_path):
    export = [task([mark(*HOLT, "Anna Holt"), mark(4, 8, "mill", label="Hint")])]
    [(_line, _field, reason)] = refused(squad, tmp_path, export)
    assert reason == "The marks have the labels Answer, Hint: say which one has the answers."
    report = take_in(squad, tmp_path, export, label="Answer")
    assert questions_of(squad) == {ASKED: ["38:Anna Holt"]}
    assert notes(report) == ["Marks with the label Hint were left out."]


def test_answers_that_the_protocol_does_not_have_are_refused_by_line(squad, tmp_path):
    typed = {"type": "textarea", "value": {"text": ["Anna, I think"]}}
    stars = {"type": "rating", "value": {"rating": 4}}
    good = task([mark(*HOLT, "Anna Holt")])
    export = [task([chosen("Yes")]), task([typed]), task([stars]), task([chosen("Positive")]), good]
    assert [(line, reason) for line, _field, reason in refused(squad, tmp_path, export)] == [
        (1, "The answer is the choice yes; here it can be marked words or that there is no answer."),
        (2, "The answer is words of one's own; here it can be marked words or that there is no answer."),
        (3, "A result of the type rating is no answer in a plain text."),
        (4, "The choice “Positive” means neither yes, no nor no answer."),
    ]


@pytest.mark.parametrize(
    ("data", "field", "reason"),
    [
        ({"text": None}, "data.text", "This is null, not text."),
        ({"text": ["a"]}, "data.text", "This is a list, not text."),
        ({"text": "  "}, "data.text", "The text is empty."),
        (
            {"text": "https://example.org/mill.txt"},
            "data.text",
            "This is the address of a text, and nothing is fetched.",
        ),
        ({"text": "/data/upload/3/mill.txt"}, "data.text", "This is the address of a text, and nothing is fetched."),
        ({"question": " "}, "data.question", "Nothing is asked."),
        ({"question": "???"}, "data.question", "Nothing is asked."),
        ({"question": "q" * 10_001}, "data.question", "The text has 10,001 characters; the limit is 10,000."),
        ({"text": "x" * 1_000_001}, "data.text", "The text has 1,000,001 characters; the limit is 1,000,000."),
        ({"item_id": "i" * 151}, "data.item_id", "An id has 1 to 150 characters."),
        ({"item_id": 7}, "data.item_id", "This is an integer, not text."),
    ],
)
def test_a_text_or_question_that_is_none_is_refused_by_its_field(squad, tmp_path, data, field, reason):
    assert refused(squad, tmp_path, [task([], **data)]) == [(1, field, reason)]


def test_a_task_without_the_field_of_the_question_is_refused_with_what_to_do(squad, tmp_path):
    [(_line, field, reason)] = refused(squad, tmp_path, [task([])], prompt_field="query")
    assert (field, reason) == (
        "data.query",
        "The field is missing. Name the one with what is asked, or give a prompt for all texts.",
    )


def test_an_id_that_asks_two_things_is_refused(squad, tmp_path):
    export = [task([], item_id="q-1"), task([], item_id="q-1", question="Why?")]
    [(line, _field, reason)] = refused(squad, tmp_path, export)
    assert (line, reason) == (2, "Line 1 has the same id, q-1, and asks something else.")


def test_the_same_export_brings_nothing_new_the_second_time(squad, tmp_path):
    export = [task([mark(*HOLT, "Anna Holt")])]
    take_in(squad, tmp_path, export)
    report = take_in(squad, tmp_path, [*export, task([chosen("No answer")], question="When did it burn?")])
    assert (report.items, report.adopted) == (1, 2)


def test_a_protocol_without_a_place_for_such_questions_says_so(db, tmp_path):
    with pytest.raises(ImportRefused, match=r"is an export of Label Studio\. Projects of this protocol have no place"):
        take_in(project("pages", "nq"), tmp_path, [task([])])


def test_an_unknown_tool_is_refused(squad, tmp_path):
    with pytest.raises(ImportRefused, match="There is no tool prodigy, only: label_studio, doccano, brat"):
        take_in(squad, tmp_path, [task([])], tool="prodigy")
