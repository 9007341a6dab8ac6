"""What the import commands say about files in which they refuse something."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Item
from tests.builders import questions, write_lines


def refusal(nq, path, **options):
    with pytest.raises(CommandError) as refused:
        call_command("import_items", nq.slug, str(path), **options)
    assert not Item.objects.filter(project=nq).exists()
    return str(refused.value)


def test_a_line_that_is_refused_for_two_reasons_counts_once(nq, tmp_path, capsys):
    one = questions(1)[0]
    call_command("import_items", nq.slug, str(write_lines(tmp_path / "first.jsonl", [one])))
    path = write_lines(tmp_path / "again.jsonl", [one, one | {"question_text": "which of the two"}])
    with pytest.raises(CommandError, match=r"^1 line refused; nothing was imported\.$"):
        call_command("import_items", nq.slug, str(path))
    assert capsys.readouterr().err.count("Line 2, example_id") == 2


@pytest.mark.parametrize("indent", [1, 2, "\t"])
def test_an_indented_object_is_refused_once_and_not_line_by_line(nq, tmp_path, capsys, indent):
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(questions(30)[0], indent=indent))
    assert "q.jsonl is not JSON Lines" in refusal(nq, path)
    assert "Line" not in capsys.readouterr().err


@pytest.mark.parametrize("indent", [1, 2, "\t"])
def test_an_indented_array_is_read_and_said_to_be(nq, tmp_path, capsys, indent):
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(questions(30), indent=indent))
    call_command("import_items", nq.slug, str(path))
    assert nq.items.count() == 30
    assert "Read as an array of JSON: every element is a record." in capsys.readouterr().err


@pytest.mark.parametrize("data", [b"", b"\n\n \n"])
def test_a_file_without_items_is_refused(nq, tmp_path, data):
    path = tmp_path / "q.jsonl"
    path.write_bytes(data)
    assert refusal(nq, path) == "q.jsonl has no items."


def test_a_folder_is_refused_where_the_protocol_reads_no_texts(nq, tmp_path):
    assert refusal(nq, tmp_path) == f"{tmp_path} is a folder; name a file."
