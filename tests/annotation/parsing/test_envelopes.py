"""Files of one JSON object around a list: its elements are like the lines of a file, and read as strictly."""

from __future__ import annotations

import gzip
import json

import pytest

from annotation.errors import ImportRefused
from annotation.parsing import sources
from annotation.parsing.envelopes import open_envelope
from annotation.parsing.incoming import FieldsAround
from annotation.parsing.sources import FileSource


def opened(folder, text, name="data.json"):
    path = folder / name
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    around, records = open_envelope(FileSource(path), "data")
    return around, list(records)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["data.json", "data.json.gz"])
def test_the_nth_element_is_line_n_however_the_file_is_formatted_or_compressed(tmp_path, indent, name):
    text = json.dumps({"version": "v2.0", "data": [{"a": 1}, {"b": 2}], "note": None}, indent=indent)
    around = FieldsAround({"version": "v2.0"}, {"note": None})
    assert opened(tmp_path, text, name) == (around, [(1, {"a": 1}), (2, {"b": 2})])


def test_the_other_fields_keep_their_order_wherever_the_list_is(tmp_path):
    around, records = opened(tmp_path, '{"z": 1, "b": 2, "data": [], "a": {"data": [2]}}')
    assert list(around.every.items()) == [("z", 1), ("b", 2), ("a", {"data": [2]})]
    assert list(around.before) == ["z", "b"]
    assert records == []


def test_the_type_of_an_element_is_left_to_its_reader(tmp_path):
    assert opened(tmp_path, '{"data": [1, null, "x"]}')[1] == [(1, 1), (2, None), (3, "x")]


def test_a_published_file_of_coqa_is_read_this_way(shared):
    around, records = open_envelope(FileSource(shared / "coqa/coqa-train-1dialogue.json"), "data")
    [(number, dialogue)] = records
    assert (around, number) == (FieldsAround({"version": "1.0"}), 1)
    assert {"story", "questions", "answers"} <= dialogue.keys()


def test_an_array_is_the_list_itself_unless_it_is_to_be_published_data(tmp_path):
    assert opened(tmp_path, '[{"a": 1}, 2]') == (FieldsAround(), [(1, {"a": 1}), (2, 2)])
    (tmp_path / "published.json").write_text("[]")
    with pytest.raises(ImportRefused, match=r"published\.json is not one JSON object with a list 'data'"):
        open_envelope(FileSource(tmp_path / "published.json", published=True), "data")


@pytest.mark.parametrize("text", ['"data"', "{}", '{"data": {}}', '{"data": null}', '{"records": []}'])
def test_a_file_without_the_list_is_refused_by_its_name(tmp_path, text):
    with pytest.raises(ImportRefused, match=r"data\.json is not one JSON object with a list 'data'"):
        opened(tmp_path, text)


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ('{"a": 1, "a": 2}', "occurs twice"),
        ('"\\u0000"', "NUL"),
        ('"\\ud800"', "surrogate"),
        ("NaN", "NaN is not JSON"),
        ("1e999", "too large"),
        ("9" * 50, "50 digits"),
        ("[" * 64 + "]" * 64, "Nested deeper than 64"),
        ("{", "at byte"),
        (b"\xff", "Not UTF-8 at byte"),
    ],
)
def test_an_element_is_read_as_strictly_as_any_file(tmp_path, inside, why):
    inside = inside if isinstance(inside, bytes) else inside.encode()
    with pytest.raises(ImportRefused, match=why):
        opened(tmp_path, b'{"data": [' + inside + b"]}")


def test_a_file_above_the_limit_of_whole_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_WHOLE", 2**20)
    with pytest.raises(ImportRefused, match="over 1 MB"):
        opened(tmp_path, json.dumps({"data": ["x" * 2**20]}))
