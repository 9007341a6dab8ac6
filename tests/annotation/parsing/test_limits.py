"""One record can't take all memory: its values, its depth and its texts are bounded, and refusals name the limit."""

from __future__ import annotations

import gzip
import json

import pytest

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.sources import FileSource
from annotation.parsing.strict_json import JsonRefused, strict_loads


def values_of(value):
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(values_of, inside))


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "[]",
        "{}",
        "[ ]",
        "[[],[],[]]",
        '[{"a": []}, {"b": {"c": [1, 2, {}]}}]',
        '{"a": "x,y,[z],{", "b\\"[": ["\\"", ",,,"]}',
        '[ 1 , [ \n ] , { "a" : { } } ]',
    ],
)
def test_as_many_values_as_the_limit_are_read_and_one_more_is_refused(text):
    count = values_of(json.loads(text))
    assert strict_loads(text, values=count) == json.loads(text)
    if count > 1:
        with pytest.raises(JsonRefused, match=f"More values than the limit, {count - 1}"):
            strict_loads(text, values=count - 1)


def test_the_refusal_of_a_record_names_the_number_of_values():
    with pytest.raises(LineRefused, match=r"More values than the limit, 2,000,000\."):
        fields.parse(b'{"a": [' + b"0," * 2_000_000 + b"0]}")


def test_a_text_over_the_limit_is_refused_by_its_field():
    record = {"a": "x" * fields.MAX_TEXT, "b": "x" * (fields.MAX_TEXT + 1), "c": [{"d": "x" * (fields.MAX_TEXT + 1)}]}
    assert fields.need(record, "a", str)
    for read in (lambda: fields.need(record, "b", str), lambda: fields.unknown(record, ("a", "c"))):
        with pytest.raises(LineRefused, match=r"The text has 1,000,001 characters; the limit is 1,000,000\.") as found:
            read()
        assert found.value.field == "b"
    with pytest.raises(LineRefused, match="1,000,001 characters") as found:
        fields.unknown(record, ("a", "b"))
    assert found.value.field == "c"


def test_a_whole_file_compressed_to_less_than_a_hundredth_of_its_size_is_refused(tmp_path):
    path = tmp_path / "data.json.gz"
    path.write_bytes(gzip.compress(b'"' + b"x" * 2**20 + b'"'))
    with pytest.raises(ImportRefused, match="less than a hundredth of its size"):
        FileSource(path).whole()
    path.write_bytes(gzip.compress(b'"' + b"x" * 1000 + b'"'))
    assert len(FileSource(path).whole()) == 1002
