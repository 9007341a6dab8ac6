"""Tables and arrays of JSON are read like JSON Lines; a table that can't be is refused in one sentence."""

from __future__ import annotations

import json

import pytest

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.sources import FileSource

ROWS = [{"question_text": "who, when?", "document_file": "a.html"}, {"question_text": "“where”\nto", "split": "dev"}]
TABLES = {
    "commas.csv": 'question_text,document_file,split\n"who, when?",a.html,\n"“where”\nto",,dev\n',
    "semicolons.csv": 'question_text;document_file;split\r\nwho, when?;a.html;\r\n"“where”\nto";;dev\r\n',
    "tabs.tsv": 'question_text\tdocument_file\tsplit\nwho, when?\ta.html\n"“where”\nto"\t\tdev',
    "tabs.txt": ' question_text \tdocument_file\tsplit\t\nwho, when?\ta.html\t \t\n"“where”\nto"\t\tdev\t\n\n',
    "marked.csv": '\ufeffquestion_text,document_file,split\n"who, when?",a.html,\n,,\n"“where”\nto",,dev\n',
}


def source_of(tmp_path, name, text):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return FileSource(tmp_path / name)


def records(source):
    return [json.loads(line) for _number, line in source.lines()]


@pytest.mark.parametrize("name", TABLES)
def test_the_rows_of_a_table_are_records_without_their_empty_cells(tmp_path, name):
    source = source_of(tmp_path, name, TABLES[name])
    assert records(source) == ROWS
    assert source.form.is_table
    assert source.read_as == "Read as a table: its first row names the columns, and every other row is a record."


def test_rows_are_numbered_as_a_spreadsheet_does(tmp_path):
    source = source_of(tmp_path, "marked.csv", TABLES["marked.csv"])
    assert [number for number, _line in source.lines()] == [2, 4]
    assert [number for number, _row in source.rows()] == [1, 2, 3, 4]
    assert b"".join(row for _number, row in source.rows()).decode() == TABLES["marked.csv"].removeprefix("\ufeff")


@pytest.mark.parametrize(("name", "is_table"), [("one.csv", True), ("one.tsv", True), ("one.jsonl", False)])
def test_a_single_column_is_a_table_by_the_name_of_the_file(tmp_path, name, is_table):
    source = source_of(tmp_path, name, "question_text\nwho?\n")
    assert source.form.is_table is is_table


@pytest.mark.parametrize(
    "text", ["who, when, where?\nnobody, never, nowhere\n", "plain text\n", "", '{"a": 1, "b": 2}\n']
)
def test_what_is_no_table_is_read_line_by_line(tmp_path, text):
    source = source_of(tmp_path, "rows.txt", text)
    assert not source.form.is_table
    assert source.read_as == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"a,b\n1,caf\xe9\n", "rows.csv is not UTF-8 after row 1. In the spreadsheet, save it as “CSV UTF-8”."),
        (b"a,,b\n1,2,3\n", "rows.csv: column 2 has no name in the first row."),
        (b"a,b,a\n1,2,3\n", "rows.csv: the first row names a twice."),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_what_to_do(tmp_path, text, reason):
    with pytest.raises(ImportRefused) as refused:
        list(source_of(tmp_path, "rows.csv", text).lines())
    assert str(refused.value) == reason


def test_a_row_with_more_cells_than_columns_is_refused_and_the_others_are_read(tmp_path):
    (_, wrong), (_, right) = source_of(tmp_path, "rows.csv", "a,b\n1,2,3\n4,5,\n").lines()
    with pytest.raises(LineRefused, match="The row has more cells than the first one"):
        fields.parse(wrong)
    assert fields.parse(right) == {"a": "4", "b": "5"}


def test_the_elements_of_an_array_are_records(tmp_path):
    source = source_of(tmp_path, "rows.json", json.dumps(ROWS, indent=2))
    assert records(source) == ROWS
    assert [number for number, _line in source.lines()] == [1, 2]
    assert source.read_as == "Read as an array of JSON: every element is a record."


def test_lines_that_are_arrays_are_lines(tmp_path):
    assert records(source_of(tmp_path, "rows.jsonl", "[1]\n[2]\n")) == [[1], [2]]
    assert records(source_of(tmp_path, "rows.json", "[1]\n")) == [1]


def test_a_broken_array_is_refused(tmp_path):
    with pytest.raises(ImportRefused, match=r"rows\.json begins like an array of JSON and is none: This is not JSON"):
        records(source_of(tmp_path, "rows.json", json.dumps(ROWS)[:-1]))


def test_what_wants_an_object_says_that_it_has_a_table(tmp_path):
    with pytest.raises(ImportRefused, match=r"rows\.csv is a table, and what is imported here is JSON\."):
        source_of(tmp_path, "rows.csv", "a,b\n1,2\n").whole()


@pytest.mark.parametrize("text", ["a,b\n1,{}\n", 'a,b\n"{}\n","{}\n"\n', "a,b{}\n1,2\n"])
def test_a_row_that_is_too_long_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch, text):
    monkeypatch.setattr("annotation.parsing.forms.MAX_ROW", 100)
    with pytest.raises(ImportRefused, match=r"rows\.csv: row [12] is over"):
        list(source_of(tmp_path, "rows.csv", text.replace("{}", "x" * 98)).lines())
