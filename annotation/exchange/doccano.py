"""Read exports of doccano: JSON Lines of sequence labelling and of text classification, as its export writes them
(backend/data_export of its repository).

A record has the fields of its example beside `text`. Marks are [start, end, label] in `label` (in `labels` before
version 1.5), or objects in `entities` where a project has relations; classes are a list of texts. Where a project's
people don't share their marks, its export is a zip with a file for each of them, and an example comes in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.errors import ImportRefused
from annotation.exchange import records
from annotation.exchange.options import ExportOptions
from annotation.exchange.records import answers_of, asked, choice, labelled
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import RefusedLine
from annotation.parsing.text_zips import TextZip, names_in_zip
from annotation.values.exchange import ExchangedAnswer, ExchangedItem, Span

LINES = ".jsonl"
RESULTS = ("label", "labels", "entities", "cats")
LEFT_OUT = {"relations": "Relations were left out.", "Comments": "Comments were left out."}


def looks_like(record: Mapping[str, Any]) -> bool:
    """Whether a record appears to be of such an export."""
    return isinstance(record.get("text"), str) and any(isinstance(record.get(key), list) for key in RESULTS)


def read_record(record: Mapping[str, Any], options: ExportOptions, line: int) -> Iterator[ExchangedItem]:
    """The item of a record, with its answer. LineRefused."""
    item = asked(record, options, line)
    marks: list[tuple[Span, str]] = []
    other: list[ExchangedAnswer] = []
    notes: list[str] = []
    given = [key for key in RESULTS if record.get(key) is not None]
    if not given:
        raise LineRefused("label", "The field is missing: this is no export of sequence labelling or classes.")
    for key in given:
        for place, raw in enumerate(fields.need(record, key, list)):
            where = f"{key}[{place}]"
            if isinstance(raw, str):
                other += filter(None, [choice(raw, where)])
                continue
            start, end, label = _mark(raw, where)
            span, note = records.checked_mark(item.text, start, end, None, where)
            marks.append((span, label))
            notes += filter(None, [note])
    spans, left_out = labelled(marks, options, given[0])
    answers, more = answers_of(spans, other, options, given[0])
    notes += [*left_out, *more, *(note for key, note in LEFT_OUT.items() if record.get(key))]
    yield replace(item, answers=tuple(answers), notes=tuple(dict.fromkeys(notes)))


def is_of_several_people(path: Path) -> bool:
    """Whether a file is a zip with several files of JSON Lines: one for each person, where marks are not shared."""
    return sum(name.endswith(LINES) for name in names_in_zip(path)) > 1


def lines_of_people(source: TextZip) -> Iterator[tuple[int, str, bytes]]:
    """The lines of all files of a zip, numbered from 1 across them, with the names of their files.

    Raises LookupError for a file that can't be read.
    """
    number = 0
    for _file, name in source.paths():
        for line in source.resource(name).split(b"\n"):
            if line.strip():
                number += 1
                yield number, name, line.rstrip(b"\r")


def read_people(source: TextZip, options: ExportOptions) -> Iterator[ExchangedItem | RefusedLine]:
    """The items of an export with a file for each person. ImportRefused for a zip that can't be read."""
    try:
        for number, name, line in lines_of_people(source):
            try:
                yield from read_record(fields.parse(line), options, number)
            except LineRefused as refused:
                where = ", ".join(filter(None, (name, refused.field)))
                yield RefusedLine(number, where, refused.reason)
    except LookupError as error:
        raise ImportRefused(str(error)) from None


def _mark(raw: Any, where: str) -> tuple[int, int, str]:
    """Start, end and label of a mark."""
    if isinstance(raw, dict):
        label = fields.need(raw, "label", str, where, longest=fields.MAX_SHORT)
        start = records.integer(raw.get("start_offset"), f"{where}.start_offset")
        return start, records.integer(raw.get("end_offset"), f"{where}.end_offset"), label
    if not isinstance(raw, list) or len(raw) != 3:
        raise LineRefused(where, "A mark is not [start, end, label].")
    label = fields.typed(raw[2], str, f"{where}[2]", longest=fields.MAX_SHORT)
    return records.integer(raw[0], f"{where}[0]"), records.integer(raw[1], f"{where}[1]"), label
