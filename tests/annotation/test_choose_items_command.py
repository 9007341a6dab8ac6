"""`manage.py choose_items` writes what a protocol keeps of raw items, and says why it keeps or drops each."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation import registry
from annotation.errors import ImportRefused
from annotation.parsing.fields import read_json_lines
from annotation.protocol import Protocol
from annotation.protocol_tools import ChosenMaterial, MaterialChooser


def choose(source, options):
    """Keep what is longer than the option says."""
    if not options.get("least", "3").isdigit():
        raise ImportRefused("--least is a number.")
    return "By length.", _choices(source, int(options.get("least", "3")))


def _choices(source, least):
    for number, record in read_json_lines(source):
        size = len(record["text"])
        kept = size >= least
        line = record | {"split": source.split} if kept else None
        yield ChosenMaterial(f"n{number}", kept, "long enough" if kept else "too short", {"letters": size}, line)


class Lengths(Protocol):
    """Only its chooser matters here."""

    key = "lengths"
    title = "Lengths"
    kinds = ()
    activities = ()
    chooser = MaterialChooser(choose, {"least": "the fewest letters"})


@pytest.fixture
def raw(monkeypatch, tmp_path):
    monkeypatch.setitem(registry._PROTOCOLS, "lengths", Lengths())
    path = tmp_path / "raw.jsonl"
    path.write_text('{"text": "otter"}\n{"text": "é🦊"}\n')
    return path


def run(raw, *options, out="kept.jsonl"):
    said = StringIO()
    call_command("choose_items", "lengths", str(raw), str(raw.parent / out), *options, stdout=said)
    return said.getvalue().splitlines(), (raw.parent / out).read_text()


def test_what_is_kept_is_written_and_the_table_says_why(raw):
    table, written = run(raw, "--split", "dev")
    assert [json.loads(line) for line in written.splitlines()] == [{"text": "otter", "split": "dev"}]
    assert [row.split() for row in table[:3]] == [
        ["item", "outcome", "letters", "why"],
        ["n1", "kept", "5", "long", "enough"],
        ["n2", "dropped", "2", "too", "short"],
    ]
    assert table[3] == "By length."
    assert "Kept 1 of 2" in table[4]


def test_options_are_the_protocol_s(raw):
    assert len(run(raw, "--least", "2")[1].splitlines()) == 2
    with pytest.raises(CommandError, match="--least is a number"):
        run(raw, "--least", "many", out="other.jsonl")


def test_an_existing_file_is_never_overwritten(raw):
    run(raw)
    with pytest.raises(CommandError, match="can't be written: File exists"):
        run(raw)


def test_a_missing_file_or_folder_is_refused(raw):
    with pytest.raises(CommandError, match="There is no file"):
        run(raw.parent / "none.jsonl")
    with pytest.raises(CommandError, match="There is no zip or folder"):
        run(raw, "--folder", str(raw.parent / "none"))


def test_only_protocols_that_choose_can_be_named(raw):
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("choose_items", "nq", str(raw), str(raw.parent / "kept.jsonl"))
