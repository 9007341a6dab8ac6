"""Read exports of Label Studio: JSON and JSON-MIN, as its documentation describes them (labelstud.io/guide/export,
guide/task_format, tags/labels).

In JSON a record is a task with all of its annotations. In JSON-MIN it is one annotation, with the fields of its task
beside it, so that a task comes as often as it was annotated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.exchange import records
from annotation.exchange.options import ExportOptions
from annotation.exchange.records import answers_of, asked, choice, labelled
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.values.exchange import ExchangedAnswer, ExchangedItem, Span

PREDICTIONS = "Predictions of a model were left out."
CANCELLED = "Annotations that were skipped were left out."
IGNORED = ("relation",)
"""Results that are about others."""
WRITTEN = ("answer", "choice")
"""Fields of JSON-MIN whose text is a choice or one's own words: it does not say which fields are results."""
ABOUT = "annotation_id"
"""A field that JSON-MIN adds to each record."""
WHOLE = "/text()[1]"
"""The path of the only piece of a plain text, in exports of versions before 1.0."""


def looks_like(record: Mapping[str, Any]) -> bool:
    """Whether a record appears to be of such an export."""
    return _is_task(record) or (ABOUT in record and "annotator" in record)


def _is_task(record: Mapping[str, Any]) -> bool:
    has_results = any(isinstance(record.get(key), list) for key in ("annotations", "completions", "predictions"))
    return isinstance(record.get("data"), dict) and has_results


def read_record(record: Mapping[str, Any], options: ExportOptions, line: int) -> Iterator[ExchangedItem]:
    """The item of a record, with its answers. LineRefused."""
    if _is_task(record):
        yield _of_task(record, options, line)
    elif ABOUT in record:
        yield _of_row(record, options, line)
    else:
        raise LineRefused("", "This is neither a task with its annotations nor a record of JSON-MIN.")


@dataclass
class _Annotation:
    """What one annotation says."""

    marks: list[tuple[Span, str]] = field(default_factory=list)
    other: list[ExchangedAnswer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def answers(self, options: ExportOptions, where: str) -> list[ExchangedAnswer]:
        """Its answers; notes are added to its own."""
        spans, left_out = labelled(self.marks, options, where)
        found, more = answers_of(spans, self.other, options, where)
        self.notes += (*left_out, *more)
        return found


def _of_task(task: Mapping[str, Any], options: ExportOptions, line: int) -> ExchangedItem:
    item = asked(fields.need(task, "data", dict), options, line, "data")
    answers, notes = [], list[str]()
    key = "annotations" if "annotations" in task or "completions" not in task else "completions"
    for place, raw in enumerate(fields.need(task, key, list) if key in task else []):
        where = f"{key}[{place}]"
        one = fields.typed(raw, dict, where)
        if one.get("was_cancelled") or one.get("skipped"):
            notes.append(CANCELLED)
            continue
        told = _Annotation()
        for number, result in enumerate(fields.need(one, "result", list, where)):
            _add(told, fields.typed(result, dict, f"{where}.result[{number}]"), f"{where}.result[{number}]", item)
        answers += told.answers(options, where)
        notes += told.notes
    if task.get("predictions"):
        notes.append(PREDICTIONS)
    return replace(item, answers=tuple(answers), notes=tuple(dict.fromkeys(notes)))


def _add(told: _Annotation, result: Mapping[str, Any], where: str, item: ExchangedItem) -> None:
    """Add what one result says."""
    kind = fields.need(result, "type", str, where)
    if kind in IGNORED:
        told.notes.append(f"Results of the type {kind} were left out.")
        return
    value = fields.need(result, "value", dict, where)
    at = f"{where}.value"
    if kind == "choices":
        told.other += _choices(value, at)
    elif kind == "textarea":
        told.other.append(_words(value.get("text"), f"{at}.text"))
    elif kind in ("labels", "hypertextlabels"):
        told.marks.append(_mark(value, at, item, told, key=kind))
    else:
        raise LineRefused(f"{where}.type", f"A result of the type {kind[:40]} is no answer in a plain text.")


def _of_row(row: Mapping[str, Any], options: ExportOptions, line: int) -> ExchangedItem:
    item, told = asked(row, options, line), _Annotation()
    for key, value in row.items():
        if key in (options.text_field, options.prompt_field):
            continue
        if isinstance(value, list) and value and all(isinstance(one, dict) and "start" in one for one in value):
            for place, one in enumerate(value):
                told.marks.append(_mark(one, f"{key}[{place}]", item, told, key="labels"))
        elif isinstance(value, dict) and "choices" in value:
            told.other += _choices(value, key)
        elif key in WRITTEN and isinstance(value, str) and value.strip():
            told.other.append(_choice_or_words(value, key))
    answers = told.answers(options, "")
    return replace(item, answers=tuple(answers), notes=tuple(dict.fromkeys(told.notes)))


def _choice_or_words(value: str, key: str) -> ExchangedAnswer:
    try:
        found = choice(value, key)
    except LineRefused:
        found = None
    return found or ExchangedAnswer("words", words=value.strip())


def _choices(value: Mapping[str, Any], where: str) -> Iterator[ExchangedAnswer]:
    for place, one in enumerate(fields.need(value, "choices", list, where)):
        found = choice(fields.typed(one, str, f"{where}.choices[{place}]"), f"{where}.choices[{place}]")
        if found is not None:
            yield found


def _words(value: Any, where: str) -> ExchangedAnswer:
    """A text that was typed: a list of what was submitted, or the text itself."""
    texts = [value] if isinstance(value, str) else fields.typed(value, list, where)
    if len(texts) != 1:
        raise LineRefused(where, f"{len(texts)} texts were written, instead of one answer.")
    return ExchangedAnswer("words", words=fields.typed(texts[0], str, where).strip())


def _mark(
    value: Mapping[str, Any], where: str, item: ExchangedItem, told: _Annotation, *, key: str
) -> tuple[Span, str]:
    """The place of a mark and its label, checked against the words that the export has of it."""
    start, end = _place(value, where)
    words = value.get("text")
    if words is not None:
        fields.typed(words, str, f"{where}.text")
    if type(value.get("start")) is str and words is None:
        raise LineRefused(f"{where}.start", "The mark is in HTML and has no words to find it by.")
    span, note = records.checked_mark(item.text, start, end, words, where)
    if note:
        told.notes.append(note)
    names = fields.need(value, key, list, where) if key in value else [""]
    if len(names) != 1:
        raise LineRefused(f"{where}.{key}", "A mark has several labels." if names else "A mark has no label.")
    return span, fields.typed(names[0], str, f"{where}.{key}[0]", longest=fields.MAX_SHORT)


def _place(value: Mapping[str, Any], where: str) -> tuple[int, int]:
    """Where a mark is told to be. In HTML, `start` and `end` are paths, and `globalOffsets` count the text."""
    if type(value.get("start")) is not str:
        pairs = [(value, "start", "end")]
    elif isinstance(value.get("globalOffsets"), dict):
        pairs = [(value["globalOffsets"], "start", "end")]
    elif value["start"] == value.get("end") == WHOLE:
        pairs = [(value, "startOffset", "endOffset")]
    else:
        raise LineRefused(f"{where}.start", "The mark is in HTML: its place is a path, and only plain texts are read.")
    (given, first, last) = pairs[0]
    return records.integer(given.get(first), f"{where}.{first}"), records.integer(given.get(last), f"{where}.{last}")
