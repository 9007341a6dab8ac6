"""Beside the data of a release: a JSON Schema that its records fulfil, and its description in Croissant."""

from __future__ import annotations

import gzip
import hashlib
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import releases
from annotation.releases import described
from annotation.releases.described import LOOKED_AT, THEN, Shape
from tests.annotation.releases.test_hugging_face import PUBLISHED, taken_in
from tests.people import NOON

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}


def fulfils(value, schema) -> bool:
    """Whether a value is what the part of JSON Schema says that is written here."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(value is None if kind == "null" else isinstance(value, TYPES[kind]) for kind in kinds):
        return False
    if isinstance(value, list):
        return all(fulfils(each, schema.get("items", {})) for each in value)
    if isinstance(value, dict) and "properties" in schema:
        there = all(name in value for name in schema["required"])
        return there and all(fulfils(each, schema["properties"][name]) for name, each in value.items())
    if isinstance(value, dict):
        return all(fulfils(each, schema.get("additionalProperties", {})) for each in value.values())
    return True


def records(path, schema):
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    if "line" in schema["description"]:
        return [json.loads(line) for line in text.splitlines()]
    whole = json.loads(text)
    return list(whole.values()) if "object in a file" in schema["description"] else whole["data"]


@pytest.fixture
def made(db, shared, tmp_path):
    def make(key, format):
        project = taken_in(key, shared, tmp_path)
        release = releases.build(project, format=format, by=None, now=NOON)
        return releases.folder_of(release), releases.manifest_of(release)

    return make


FORMATS = [("nq", "nq"), ("nq", "provenance"), ("qasper", "qasper"), ("coqa", "coqa"), ("squad", "v2.0")]


@pytest.mark.parametrize(("key", "format"), FORMATS)
def test_every_record_fulfils_the_schema_beside_it(made, key, format):
    folder, manifest = made(key, format)
    schema = json.loads((folder / described.SCHEMA).read_text())
    assert schema["$schema"] == described.DIALECT
    for entry in manifest["files"]:
        found = records(folder / entry["name"], schema)
        assert len(found) == entry["records"] > 0
        assert all(fulfils(record, schema) for record in found)
    assert not fulfils({}, schema)


@pytest.mark.parametrize("key", [*PUBLISHED, "squad"])
def test_croissant_names_the_files_with_their_hashes_and_the_columns(made, key):
    folder, manifest = made(key, "huggingface")
    found = json.loads((folder / described.CROISSANT).read_text())
    assert (found["@type"], found["conformsTo"]) == ("sc:Dataset", "http://mlcommons.org/croissant/1.0")
    [file] = found["distribution"]
    assert file["sha256"] == hashlib.sha256((folder / file["contentUrl"]).read_bytes()).hexdigest()
    assert file["encodingFormat"] == "application/x-parquet"
    [rows] = found["recordSet"]
    columns = {field["source"]["extract"]["column"] for field in rows["field"]}
    assert columns == {row["name"].split(".")[0].split("[")[0] for row in manifest["fields"]}
    names = [field["@id"] for field in _each(rows["field"])]
    assert len(names) == len(set(names))


def _each(fields):
    for field in fields:
        yield field
        yield from _each(field.get("subField", ()))


def test_croissant_says_where_in_a_json_file_a_field_is(made):
    folder, _manifest = made("squad", "v2.0")
    found = json.loads((folder / described.CROISSANT).read_text())
    asked = next(one for one in _each(found["recordSet"][0]["field"]) if one["name"].endswith("/question"))
    assert asked["source"]["extract"] == {"jsonPath": "$.data[*].paragraphs[*].qas[*].question"}
    assert asked["dataType"] == "sc:Text"


def test_the_card_has_a_table_of_fields_with_an_example(made):
    folder, _manifest = made("squad", "huggingface")
    said = (folder / "README.md").read_text()
    assert "| Field | Type | Example |" in said
    assert "| `answers.answer_start[]` | integer | " in said


LONG = [1] * (LOOKED_AT + 1)


@pytest.mark.parametrize(
    ("lists", "types"),
    [
        ([[1] * LOOKED_AT + ["one too many"]], "integer"),
        ([[1] * (LOOKED_AT - 1) + ["in time"]], ["integer", "string"]),
        ([[1] * LOOKED_AT, [1] * (LOOKED_AT - 1) + ["in time"]], ["integer", "string"]),
        ([LONG, [1] * THEN + ["one too many"] + LONG], "integer"),
        ([LONG, [1] * (THEN - 1) + ["in time"] + LONG], ["integer", "string"]),
        ([LONG[:-2], [1] * THEN + ["in time"] + LONG], ["integer", "string"]),
    ],
)
def test_of_a_long_list_the_first_elements_are_looked_at_and_fewer_of_long_ones_after_it(lists, types):
    shape = Shape()
    shape.add(lists)
    assert shape.schema() == {"type": "array", "items": {"type": types}}


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["", "a", "b"])
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.sampled_from("abc"), inner)
)


@given(st.lists(VALUES))
def test_values_that_are_looked_at_together_give_what_they_give_one_by_one(values):
    together, one_by_one = Shape(), Shape()
    together.add(values)
    for value in values:
        one_by_one.add([value])
    assert together == one_by_one == pickle.loads(pickle.dumps(together))
    assert [*together.rows()] == [*one_by_one.rows()]


def test_a_field_is_required_if_every_object_has_it_also_when_parts_are_joined():
    first, second = Shape(), Shape()
    first.add([{"id": 1, "note": "x"}])
    second.add([{"id": None}])
    first.join(second)
    assert first.schema() == {
        "type": "object",
        "properties": {"id": {"type": ["integer", "null"]}, "note": {"type": "string"}},
        "required": ["id"],
    }
