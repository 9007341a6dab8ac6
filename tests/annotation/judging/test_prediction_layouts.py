"""The layouts of prediction files: what is read of each, and what is refused in a sentence."""

from __future__ import annotations

import json

import pytest

from annotation import registry
from annotation.errors import ScoreRefused

NULL = {"start_byte": -1, "end_byte": -1, "start_token": -1, "end_token": -1}
EXAMPLE = {
    "example_id": 7,
    "long_answer": NULL | {"start_token": 1, "end_token": 5},
    "long_answer_score": 1.5,
    "short_answers": [],
    "short_answers_score": 0,
    "yes_no_answer": "NONE",
}
ROW = {"question_id": 3, "question_type": "YES_NO", "answers": ["It is.", "No."], "yesno_answers": ["Yes", "No"]}
EVIDENCE = {"question_id": "q", "predicted_answer": "two", "predicted_evidence": ["Two keepers."]}
FILES = {
    "squad": ({"q1": "a tower", "q2": ""}, [("q1", 0, {"answer": "a tower"}), ("q2", 0, {"answer": ""})]),
    "coqa": ([{"id": "p", "turn_id": 2, "answer": "white"}], [("p", 2, {"answer": "white", "turn": 2})]),
    "qasper": (EVIDENCE, [("q", 0, {"answer": "two", "evidence": ["Two keepers."]})]),
    "nq": ({"predictions": [EXAMPLE]}, [("7", 0, EXAMPLE)]),
    "dureader": (
        ROW,
        [("3", 0, {"answer": "It is.", "opinion": "Yes"}), ("3", 1, {"answer": "No.", "opinion": "No"})],
    ),
}
OTHERS = [
    ("squad", {"q1": 3}),
    ("squad", ["q1"]),
    ("coqa", {"id": "p"}),
    ("coqa", [{"id": "p", "turn_id": 0, "answer": "white"}]),
    ("coqa", [{"id": "p", "turn_id": True, "answer": "white"}]),
    ("coqa", [{"id": 5, "turn_id": 1, "answer": "white"}]),
    ("qasper", [1]),
    ("qasper", EVIDENCE | {"predicted_answer": 2}),
    ("qasper", EVIDENCE | {"predicted_evidence": [2]}),
    ("qasper", EVIDENCE | {"question_id": []}),
    ("nq", [EXAMPLE]),
    ("nq", {"predictions": [1]}),
    ("nq", {"predictions": [EXAMPLE | {"long_answer_score": "high"}]}),
    ("nq", {"predictions": [EXAMPLE | {"example_id": []}]}),
    ("dureader", [1]),
    ("dureader", {"question_id": 3, "answers": "It is."}),
    ("dureader", ROW | {"yesno_answers": ["Yes"]}),
]


def read(protocol, value, folder):
    path = folder / "predictions.json"
    path.write_text(json.dumps(value))
    return registry.get(protocol).predictions[0].read(path)


@pytest.mark.parametrize("protocol", FILES)
def test_the_official_layout_of_a_protocol_is_read(protocol, tmp_path):
    value, expected = FILES[protocol]
    assert read(protocol, value, tmp_path) == expected


@pytest.mark.parametrize(("protocol", "value"), OTHERS)
def test_a_file_of_another_layout_is_refused_in_a_sentence(protocol, value, tmp_path):
    with pytest.raises(ScoreRefused, match=r"predictions\.json.*\.$"):
        read(protocol, value, tmp_path)


def test_entities_stay_with_their_answer_only_where_the_lists_are_parallel(tmp_path):
    row = {"question_id": 1, "answers": ["Anna.", "Olaf."], "entity_answers": [["Anna"], ["Olaf"]]}
    assert [one.payload.get("entities") for one in read("dureader", row, tmp_path)] == [["Anna"], ["Olaf"]]
    row["entity_answers"] = [["Anna", "Olaf"]]
    assert [one.payload.get("entities") for one in read("dureader", row, tmp_path)] == [None, None]
