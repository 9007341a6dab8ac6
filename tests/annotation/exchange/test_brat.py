"""Collections of brat come into a project: texts with their annotations beside them, in a zip."""

from __future__ import annotations

import zipfile

import pytest

from annotation import registry
from annotation.errors import ImportRefused
from annotation.exchange import reading
from annotation.exchange.brat import LONGEST_NUMBER
from annotation.imports.run import LinesRefused
from annotation.models import Item
from tests.annotation.exchange.exports import TEXT, collection, questions_of, take_in_file
from tests.builders import load, project

WHO = "Who ran it?"
MILL = "The mill at Lund\nwas built in 1871."


@pytest.fixture
def squad(db):
    return project("switched", "squad")


def refused(into, tmp_path, *, options=None, **files):
    with pytest.raises(LinesRefused) as found:
        take_in_file(into, collection(tmp_path, **files), **(options or {"prompt": WHO}))
    assert not Item.objects.exists()
    return [(one.line, one.field, one.reason) for one in found.value.report.refused]


def test_each_text_is_asked_the_one_question_and_its_mark_is_the_answer(squad, tmp_path):
    files = {"a_txt": TEXT, "a_ann": "T1\tAnswer 38 47\tAnna Holt\n", "b_txt": MILL, "b_ann": ""}
    report = take_in_file(squad, collection(tmp_path, **files), prompt=WHO)
    assert report.read_as == f"Read as an export of brat, asking “{WHO}” about each text."
    titles = Item.objects.filter(kind="paragraph").order_by("position").values_list("payload__title", flat=True)
    assert list(titles) == ["a", "b"]
    payloads = Item.objects.filter(kind="question").order_by("position").values_list("payload", flat=True)
    assert list(payloads) == [{"question": WHO, "is_impossible": False}, {"question": WHO}]
    assert [note.text for note in report.notes] == ["Nothing is marked, so nobody has answered here."]


def test_the_question_of_a_mark_can_be_its_note(squad, tmp_path):
    marks = "T1\tAnswer 12 16\tLund\n#1\tAnnotatorNotes T1\tWhere is it?\nT2\tAnswer 30 34\t1871\n"
    marks += "#2\tAnnotatorNotes T2\tHow old is it?\n#3\tAnnotationID T2\tQ42\n"
    report = take_in_file(squad, collection(tmp_path, mill_txt=MILL, mill_ann=marks))
    assert report.read_as == "Read as an export of brat, with what is asked in the notes on its marks."
    assert questions_of(squad) == {"Where is it?": ["12:Lund"], "How old is it?": ["30:1871"]}


def test_pieces_on_both_sides_of_a_line_break_are_one_mark(squad, tmp_path):
    take_in_file(squad, collection(tmp_path, m_txt=MILL, m_ann="T1\tA 12 16;17 20\tLund was\n"), prompt=WHO)
    assert questions_of(squad) == {WHO: ["12:Lund\nwas"]}


def test_pieces_with_words_between_them_are_refused_where_an_answer_has_one_mark(squad, tmp_path):
    [(line, _field, reason)] = refused(squad, tmp_path, m_txt=MILL, m_ann="T1\tA 4 8;12 16\tmill Lund\n")
    assert (line, reason) == (1, "The answer has 2 marks; here it has one. If each is an answer of its own, say so.")


def test_marks_can_be_answers_of_their_own(squad, tmp_path):
    marks = "T1\tA 4 8\tmill\nT2\tA 12 16\tLund\n"
    take_in_file(squad, collection(tmp_path, m_txt=MILL, m_ann=marks), prompt=WHO, apart=True)
    assert questions_of(squad) == {WHO: ["4:mill", "12:Lund"]}


def test_places_in_utf_16_units_are_counted_again(squad, tmp_path):
    report = take_in_file(squad, collection(tmp_path, a_txt=TEXT, a_ann="T1\tA 39 48\tAnna Holt"), prompt=WHO)
    assert questions_of(squad) == {WHO: ["38:Anna Holt"]}
    assert "UTF-16" in next(iter(report.notes)).text


def test_other_labels_events_relations_and_attributes_are_left_out_with_a_note(squad, tmp_path):
    marks = (
        "T1\tAnswer 12 16\tLund\nT2\tHint 4 8\tmill\nR1\tOf Arg1:T1 Arg2:T2\nE1\tBuilt:T2\nA1\tSure T1\n*\tSame T1 T2\n"
    )
    report = take_in_file(squad, collection(tmp_path, m_txt=MILL, m_ann=marks), prompt=WHO, label="Answer")
    assert questions_of(squad) == {WHO: ["12:Lund"]}
    assert {note.text for note in report.notes} == {
        "Marks with the label Hint were left out.",
        "Relations were left out.",
        "Events were left out.",
        "Attributes were left out.",
    }


@pytest.mark.parametrize(
    ("marks", "where", "reason"),
    [
        ("T1\tA 12 16\tLyon", "m.ann, line 1", "The text has “Lund” at 12–16, and not the words of the mark, “Lyon”."),
        ("\nT1\tA 12 99\tLund", "m.ann, line 2", "The text has “Lund was built in 1871.” at 12–99"),
        ("T1\tA 16 12\tLund", "m.ann, line 1", "A mark ends before it begins, or is empty."),
        ("T1 A 12 16 Lund", "m.ann, line 1", "A mark is not “T1, tab, label start end, tab, words”."),
        ("T1\tA 12\tLund", "m.ann, line 1", "A mark is not"),
        ("T1\tA -2 16\tLund", "m.ann, line 1", "A mark is not"),
        (f"T1\tA 12 {'9' * (LONGEST_NUMBER + 1)}\tLund", "m.ann, line 1", "A mark is not"),
        ("T1\tA 12 ١٦\tLund", "m.ann, line 1", "A mark is not"),
        ("T1\tA 12 16;\tLund", "m.ann, line 1", "A mark is not"),
        ("T1\tA 12 16\tLund\nT1\tA 4 8\tmill", "m.ann, line 2", "The id T1 occurs twice."),
        ("T1\tA 3 4\t ", "m.ann, line 1", "The mark at 3–4 has only spaces."),
        ("Lund, 12", "m.ann, line 1", "This is no line of brat: “Lund, 12”."),
        (b"T1\tA 12 16\tL\xffnd", "m.ann", "Not UTF-8 at byte 12."),
        ("T1\tA 12 16\tLu\x00nd", "m.ann", "The text contains a NUL character."),
    ],
)
def test_a_line_that_is_no_mark_of_the_text_is_refused_by_file_and_line(squad, tmp_path, marks, where, reason):
    [(line, field, why)] = refused(squad, tmp_path, m_txt=MILL, m_ann=marks)
    assert (line, field) == (1, where)
    assert why.startswith(reason)


def test_a_mark_without_words_is_taken_by_its_place(squad, tmp_path):
    take_in_file(squad, collection(tmp_path, m_txt=MILL, m_ann="T1\tA 12 16"), prompt=WHO)
    assert questions_of(squad) == {WHO: ["12:Lund"]}


def test_a_mark_without_a_question_and_a_text_without_marks_are_refused_if_notes_have_the_questions(squad, tmp_path):
    files = {"a_txt": MILL, "a_ann": "T1\tA 12 16\tLund", "b_txt": TEXT, "c_ann": "T1\tA 0 1\tT"}
    assert refused(squad, tmp_path, options={"tool": "brat"}, **files) == [
        (1, "a.ann, line 1", "T1 has no note with a prompt. Give one for all texts."),
        (2, "b.ann", "No mark has a note with a prompt. Give one for all texts."),
        (3, "c.ann", "There is no text of that name beside it."),
    ]


def test_texts_that_are_none_are_refused(squad, tmp_path):
    files = {"a_txt": b"\xff", "b_txt": "a\x00b", "c_txt": " ", "c_ann": "", "d_txt": "x" * 1_000_001}
    assert [(line, reason) for line, _field, reason in refused(squad, tmp_path, **files)] == [
        (1, "Not UTF-8 at byte 0."),
        (2, "The text contains a NUL character."),
        (3, "The text is empty."),
        (4, "The text has 1,000,001 characters; the limit is 1,000,000."),
    ]


def test_a_zip_that_unpacks_to_a_hundred_times_its_size_is_refused(squad, tmp_path):
    path = collection(tmp_path, a_txt="a" * 15_000_000, a_ann="")
    with pytest.raises(ImportRefused, match="compressed to less than a hundredth of its size"):
        take_in_file(squad, path, prompt=WHO)
    marks = collection(tmp_path, name="marks.zip", a_txt=MILL, a_ann="T1\tA 12 16\tLund\n" * 1_000_000)
    with pytest.raises(ImportRefused, match="compressed to less than a hundredth of its size"):
        take_in_file(squad, marks, prompt=WHO)


def test_names_that_lead_out_of_the_zip_are_refused(squad, tmp_path):
    path = tmp_path / "out.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../a.txt", MILL)
        archive.writestr("../a.ann", "T1\tA 12 16\tLund")
    with pytest.raises(LinesRefused) as found:
        take_in_file(squad, path, prompt=WHO)
    assert [one.reason for one in found.value.report.refused] == ["../a.ann points outside the zip."]


def test_a_file_that_is_no_zip_is_refused(squad, tmp_path):
    (tmp_path / "a.txt").write_text(MILL)
    export = reading.options_for(registry.get("squad"), tmp_path / "a.txt", {"tool": "brat"})
    with pytest.raises(ImportRefused, match=r"is no zip\. Pack the texts"):
        load(squad, tmp_path / "a.txt", export=export)
