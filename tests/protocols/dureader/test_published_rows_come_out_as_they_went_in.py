"""A published row that is imported and released again is the same, field for field; parallel lists stay parallel."""

import json

import orjson
import pytest

from annotation import releases
from annotation.errors import ImportRefused
from annotation.parsing.incoming import RefusedLine
from annotation.protocols.dureader.statistics import figures
from tests.builders import load, project
from tests.people import NOON
from tests.protocols.dureader.builders import answered_row, published, read, row, written

RAW = ("segmented_question", "segmented_answers", "answer_docs", "answer_spans", "fake_answers", "match_scores")
RAW_DOCUMENT = ("segmented_title", "segmented_paragraphs", "most_related_para")


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def raw(preprocessed):
    """The same row in the raw tree: without what was computed (formats.md 4.1)."""
    found = {key: value for key, value in preprocessed.items() if key not in RAW}
    found["documents"] = [
        {key: value for key, value in one.items() if key not in RAW_DOCUMENT} for one in found["documents"]
    ]
    return found


@pytest.fixture(scope="module")
def real(shared):
    return rows_of(shared / "dureader" / "demo-train-37.jsonl")


def test_the_published_rows_preprocessed_and_raw(real):
    assert len(real) == 37
    for each in real:
        for given in (each, raw(each)):
            assert written(published(given)) == given


def test_through_the_database_a_file_is_the_same_line_by_line(db, real, tmp_path):
    into = project("lamps", "dureader")
    path = tmp_path / "search.train.json"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in real), encoding="utf-8")
    report = load(into, path, published=True)
    assert (report.items, report.annotations) == (37, 37)
    release = releases.build(into, format="v2.0", by=None, now=NOON)
    file = releases.folder_of(release) / "train.json"
    assert rows_of(file) == real
    assert "\\u" not in file.read_text(encoding="utf-8")


def test_figures_of_the_published_rows(real):
    found = figures([published(each) for each in real])
    kinds = [each["question_type"] for each in real]
    for kind in ("DESCRIPTION", "ENTITY", "YES_NO"):
        assert found["types"][kind].value == kinds.count(kind) / 37
    assert found["answers_per_question"].value == sum(len(each["answers"]) for each in real) / 37
    labels = [label for each in real for label in each.get("yesno_answers", ())]
    assert found["opinions"]["Yes"].value == labels.count("Yes") / len(labels)
    names = [one for each in real for one in each.get("entity_answers", ()) if one]
    assert found["entities_per_answer"].value == sum(map(len, names)) / len(names)


ODD = {
    "a separator that is no line break": answered_row(answers=["one\u2028two", "three\u0085four"]),
    "opposite opinions": answered_row(kind="YES_NO", yesno_answers=["Yes", "No"]),
    "an unknown opinion": answered_row(kind="YES_NO", yesno_answers=["Yes", "Maybe"]),
    "entities of no answer": answered_row(kind="ENTITY", entity_answers=[[], ["platinum"]]),
    "no answer found": answered_row(answers=[]),
    "no answer to a yes-no question": answered_row(kind="YES_NO", answers=[], yesno_answers=[]),
    "an empty answer": answered_row(answers=["", " "]),
    "unknown fields": answered_row(votes=[1, 2.5, {"b": True}], note=None),
    "a list that does not belong to the type": answered_row(entity_answers=[["oil"], []]),
    "a test row": row(),
    "a row without a type": row(kind=None, fact=None),
}


@pytest.mark.parametrize("given", ODD.values(), ids=ODD.keys())
def test_odd_rows_come_out_as_they_went_in(given):
    assert written(published(given)) == given


def test_unknown_fields_of_a_document_are_kept():
    given = answered_row()
    given["documents"][1] |= {"url": None, "scores": [0.5]}
    assert written(published(given)) == given


REFUSED = {
    "question_id": {"question_id": "1"},
    "question": {"question": " \u3000"},
    "documents": {"documents": []},
    "question_type": {"question_type": "LIST"},
    "fact_or_opinion": {"fact_or_opinion": "fact"},
    "yesno_answers": {"yesno_answers": ["Yes"]},
    "entity_answers": {"entity_answers": [["oil"]]},
    "answers[1]": {"answers": ["oil", 7]},
    "documents[0].title": {"documents": [{"paragraphs": []}]},
    "documents[0].paragraphs[0]": {"documents": [{"title": "t", "paragraphs": [1]}]},
}


@pytest.mark.parametrize(("field", "fields"), REFUSED.items(), ids=REFUSED.keys())
def test_a_row_that_is_not_of_the_layout_is_refused_with_its_field(field, fields):
    (found,) = read(answered_row(**fields), published=True)
    assert isinstance(found, RefusedLine)
    assert found.field == field


@pytest.mark.parametrize(("number", "refused"), [(5, False), (6, True)])
def test_a_question_has_at_most_five_documents(number, refused):
    (found,) = read(row(documents=row()["documents"][:1] * number))
    assert isinstance(found, RefusedLine) is refused


@pytest.mark.parametrize(
    ("name", "split"),
    [("zhidao.dev.json", "dev"), ("search.test.jsonl", "test"), ("train.json", "train"), ("devset.json", "dev")],
)
def test_the_name_of_a_published_file_says_its_split(name, split):
    assert read(row(), name=name, published=True)[0].split == split


def test_a_published_file_whose_name_says_no_split_is_refused():
    with pytest.raises(ImportRefused, match="does not say which split"):
        read(row(), name="questions.json", published=True)


def test_our_own_questions_are_for_training_unless_the_name_says_otherwise():
    assert read(row(), name="questions.json")[0].split == "train"


def test_answers_in_a_file_for_writers_are_left_out_with_all_that_tells_of_them():
    given = answered_row(fake_answers=["rape oil"], answer_spans=[[1, 2]], segmented_answers=[["oil"]])
    (found,) = read(given)
    assert found.annotations == ()
    assert b"is_selected" not in found.documents[0].source
    assert b"rape oil." not in orjson.dumps(found.payload)
    assert set(found.payload) == {"question", "question_type", "fact_or_opinion", "source"}
