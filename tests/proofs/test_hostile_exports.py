"""Hostile exports of other tools are refused with a reason or inert, in bounded time, and never raise anything else."""

from __future__ import annotations

import copy
import json
import random
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation import registry
from annotation.errors import ImportRefused
from annotation.exchange import reading as exports
from annotation.exchange.options import ExportOptions
from annotation.imports import reading
from annotation.parsing.sources import FileSource
from annotation.parsing.text_zips import TextZip
from tests.annotation.exchange.exports import ASKED, HOLT, TEXT, chosen, mark, row, task
from tests.proofs.rigs import mutants
from tests.proving import size

SECONDS = 10
"""Seconds of the processor for one file, whatever it contains."""
SEED = 35_005
VALUES: list[Any] = [
    None, True, -1, 0, 2**63, 10**40, 1.5, 1e300, "", " ", "x" * 300_000, "\ud83c", "a\x00b", [], {}, [[]], [None],
    {"start": 0}, [{"start": 0}], {"choices": None}, {"choices": [7]}, ["no answer"], [[0, 1, "A"]], [[0, 10**40, "A"]],
]  # fmt: skip
"""What is put in place of each value of an export, one after another."""
EXPORTS = {
    "label_studio": [
        task([mark(*HOLT, "Anna Holt")], [chosen("No answer")], title="Mills", item_id="q-1"),
        row(5, mark(*HOLT, "Anna Holt")),
    ],
    "doccano": [
        {"id": 1, "text": TEXT, "question": ASKED, "label": [[4, 8, "A"]], "Comments": []},
        {"text": TEXT, "question": ASKED, "entities": [{"id": 1, "label": "A", "start_offset": 4, "end_offset": 8}]},
    ],
}
MARKS = (
    "T1\tAnswer 38 47\tAnna Holt\n#1\tAnnotatorNotes T1\tWho?\n"
    "T2\tAnswer 4 8;12 16\tmill Lund\nR1\tOf Arg1:T1 Arg2:T2\n"
)
OF_TASK = b'[{"data": {"text": "a", "question": "b"}, '
pytestmark = pytest.mark.one_database_for_a_merge
"""No database is used here."""
Verdict = tuple[str, float]
"""The reason of a refusal, or "", and the seconds that it took."""


def verdict(source: FileSource) -> Verdict:
    """What becomes of a file: the reason why it, or its first refused line, is refused."""
    at = time.process_time()
    try:
        found = list(reading.read(registry.get("squad"), source))
    except ImportRefused as refused:
        return refused.message, time.process_time() - at
    reason = next((each.refused.reason for each in found if each.refused is not None), "")
    return reason, time.process_time() - at


def with_each_value(record: Any) -> Iterator[Any]:
    """Copies of a record, in each of which one value is another, is missing, or its key is another."""
    for path in places(record):
        for value in VALUES:
            changed = copy.deepcopy(record)
            *inner, last = path
            holder = changed
            for step in inner:
                holder = holder[step]
            holder[last] = value
            yield changed
        without = copy.deepcopy(record)
        holder = without
        for step in path[:-1]:
            holder = holder[step]
        del holder[path[-1]]
        yield without


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield (*path, key)
        yield from places(each, (*path, key))


def judge(verdicts: list[Verdict]) -> None:
    assert {type(reason) for reason, _seconds in verdicts} == {str}
    assert max(seconds for _reason, seconds in verdicts) < SECONDS


@pytest.mark.parametrize("tool", EXPORTS)
@pytest.mark.parametrize("published", [True, False])
def test_any_value_in_the_place_of_any_other_is_refused_with_a_reason_or_inert(tmp_path, tool, published):
    verdicts = []
    for record in EXPORTS[tool]:
        for number, changed in enumerate(with_each_value(record)):
            path = tmp_path / f"{number}.jsonl"
            path.write_text(json.dumps(changed))
            verdicts.append(verdict(FileSource(path, published=published, export=ExportOptions(tool))))
    judge(verdicts)
    reasons = {reason for reason, _seconds in verdicts}
    assert "" in reasons  # some are inert
    assert any("NUL" in reason for reason in reasons)
    assert len(reasons) > 15


def test_mutants_of_exports_are_refused_with_a_reason_or_inert(tmp_path, record_property):
    count = size(300, 6000)
    record_property("size", count)
    record_property("seed", SEED)
    verdicts = []
    for tool, records in EXPORTS.items():
        seeds = [json.dumps(records).encode(), *(json.dumps(record).encode() for record in records)]
        for number, data in enumerate(mutants.of_bytes(seeds, count=count, seed=SEED)):
            path = tmp_path / f"{tool}-{number}.json"
            path.write_bytes(data)
            verdicts.append(verdict(FileSource(path, published=True, export=ExportOptions(tool))))
            exports.recognised(path)
    judge(verdicts)


def test_mutants_of_collections_and_of_their_zips_are_refused_with_a_reason_or_inert(tmp_path, record_property):
    count = size(300, 6000)
    record_property("size", count)
    record_property("seed", SEED)
    verdicts = []
    of_marks = mutants.of_bytes([MARKS.encode()], count=count, seed=SEED)
    of_text = mutants.of_bytes([TEXT.encode()], count=count, seed=SEED + 1)
    rng = random.Random(SEED)
    for number, (marks, text) in enumerate(zip(of_marks, of_text, strict=True)):
        path = packed(tmp_path / f"{number}.zip", {"m.ann": marks, "m.txt": rng.choice([text, TEXT.encode()])})
        prompt = rng.choice(["", "Who?"])
        verdicts.append(verdict(TextZip(path, published=True, export=ExportOptions("brat", prompt=prompt))))
    whole = packed(tmp_path / "whole.zip", {"m.ann": MARKS.encode(), "m.txt": TEXT.encode()}).read_bytes()
    for number, data in enumerate(mutants.of_bytes([whole], count=count, seed=SEED + 2)):
        path = tmp_path / f"spoilt-{number}.zip"
        path.write_bytes(data)
        verdicts.append(verdict(TextZip(path, published=True, export=ExportOptions("brat", prompt="Who?"))))
        exports.recognised(path)
    judge(verdicts)
    assert {reason == "" for reason, _seconds in verdicts} == {True, False}


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 100_000, "Nested deeper than"),
        (b'[{"data": ' + b'{"a": ' * 10_000, "Nested deeper than"),
        (OF_TASK + b'"annotations": [' + b"[]," * 1_000_000 + b"[]]}]", "not an object"),
        (OF_TASK + b'"annotations": [{"result": []}], "x": NaN}]', "NaN"),
        (b"7", "not an object"),
        (b"[7]", "not an object"),
        (b"", ""),
    ],
)
def test_a_file_that_is_no_list_of_records_is_refused_in_bounded_time(tmp_path, data, reason):
    path = tmp_path / "export.json"
    path.write_bytes(data)
    said, seconds = verdict(FileSource(path, export=ExportOptions("label_studio")))
    assert reason in said
    assert seconds < SECONDS


def test_many_marks_in_utf_16_units_at_the_end_of_a_long_text_are_checked_in_bounded_time(tmp_path):
    text = "🏭 word " * 100_000
    units = [8 * number + 3 for number in range(99_600, 100_000)]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(*([mark(at, at + 4, "word")] for at in units), text=text)]))
    said, seconds = verdict(FileSource(path, published=True, export=ExportOptions("label_studio")))
    assert said == ""
    assert seconds < SECONDS
