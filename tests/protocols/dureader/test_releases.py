"""What people write comes out in the published layout and in that of the repository's script."""

from dataclasses import replace
from io import StringIO

import orjson
import pytest
from django.core.management import call_command

from annotation.protocols.dureader import writing
from annotation.protocols.dureader.writing import notes
from tests.protocols.dureader.builders import NONE, answered_row, composed, ours, published, record, written

RAPE, GAS = "It burned rape oil.", "Gas, later."


def test_answers_of_two_people_are_one_list_with_the_documents_that_anybody_used():
    row = written(record([composed(RAPE, used=[0]), composed(GAS, "Oil.", used=[1])]))
    assert row["answers"] == [RAPE, GAS, "Oil."]
    assert [each["is_selected"] for each in row["documents"]] == [True, True]
    assert set(row) == {"question_id", "question", "question_type", "fact_or_opinion", "documents", "answers"}


def test_opinions_and_entities_stay_parallel_to_the_answers():
    yes_no = written(record([composed((RAPE, "Yes"), (GAS, "No")), NONE], kind="YES_NO"))
    assert yes_no["answers"] == [RAPE, GAS]
    assert yes_no["yesno_answers"] == ["Yes", "No"]
    assert "entity_answers" not in yes_no
    entity = written(record([composed((RAPE, ["rape oil"])), composed((GAS, ["gas", "1871"]))], kind="ENTITY"))
    assert entity["entity_answers"] == [["rape oil"], ["gas", "1871"]]
    assert "yesno_answers" not in entity


def test_a_question_that_nobody_could_answer_has_an_empty_list_and_no_selected_document():
    row = written(record([NONE, NONE]))
    assert row["answers"] == []
    assert [each["is_selected"] for each in row["documents"]] == [False, False]


def test_the_type_that_most_people_say_is_written_and_the_manifest_says_that_they_differ():
    types = [("ENTITY", "FACT"), ("YES_NO", "FACT"), ("YES_NO", "OPINION")]
    payloads = [composed((RAPE, ["rape oil"])), composed((GAS, "Yes")), composed((RAPE, "No"))]
    found = record(payloads, kind=None, fact=None, types=types)
    row = written(found)
    assert (row["question_type"], row["fact_or_opinion"], row["yesno_type"]) == ("YES_NO", "FACT", "FACT")
    assert row["yesno_answers"] == ["", "Yes", "No"]
    assert list(notes(found)) == ["people differ on the type of the question; most say YES_NO"]


@pytest.mark.parametrize(
    ("payloads", "said"),
    [
        ([composed(RAPE), NONE], ["1 of 2 people found no answer"]),
        ([composed(RAPE), composed(GAS)], []),
        ([NONE, NONE], []),
    ],
)
def test_the_manifest_says_how_many_found_no_answer(payloads, said):
    assert list(notes(record(payloads))) == said


def test_answers_that_are_added_to_published_ones_follow_them():
    found = published(answered_row(kind="ENTITY", fake_answers=["oil"]))
    more = replace(found, annotations=(*found.annotations, ours(composed((GAS, ["gas"]), used=[1]))))
    row = written(more)
    assert row["answers"] == ["It burned rape oil.", "Later gas.", GAS]
    assert row["entity_answers"] == [["rape oil"], ["gas"], ["gas"]]
    assert [each["is_selected"] for each in row["documents"]] == [True, True]
    assert "fake_answers" not in row  # it was computed from the published ones alone


def test_a_reference_of_the_script_has_every_list():
    row = written(record([composed(RAPE)]), "repository")
    assert row == {
        "question_id": 1,
        "question_type": "DESCRIPTION",
        "source": "search",
        "answers": [RAPE],
        "yesno_answers": [],
        "entity_answers": [[]],
    }


def test_both_metrics_read_what_is_released(tmp_path):
    records = [record([composed((RAPE, ["rape oil"])), composed((GAS, ["gas"]))], kind="ENTITY")]
    for format, tasks in (("v2.0", False), ("repository", True)):
        gold, predicted = tmp_path / f"{format}.json", tmp_path / "predictions.json"
        gold.write_bytes(b"\n".join(orjson.dumps(written(each, format)) for each in records))
        prediction = written(records[0], "repository") | {"answers": [RAPE], "entity_answers": [["rape oil"]]}
        predicted.write_bytes(orjson.dumps(prediction))
        out = StringIO()
        files = ["--gold", str(gold), "--predictions", str(predicted)]
        call_command("score", "dureader", *files, stdout=out, stderr=StringIO())
        found = orjson.loads(out.getvalue())
        assert found["plain"]["all"]["ROUGE-L"] == 100.0
        assert ("repository" in found) is tasks


def test_the_table_has_a_row_for_each_question():
    (row,) = writing.dataset_rows(record([composed((RAPE, "Yes"))], kind="YES_NO"))
    assert set(row) == set(writing.COLUMNS)
    assert (row["answers"], row["yesno_answers"], row["entity_answers"]) == ([RAPE], ["Yes"], None)
    assert row["documents"][0]["is_selected"] is True
