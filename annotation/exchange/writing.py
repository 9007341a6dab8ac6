"""Write items with their answers in the layouts of other tools, as JSON Lines and as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.exchange.options import PROMPT_FIELD
from annotation.exchange.records import ITEM_ID, TITLE
from annotation.i18n import _
from annotation.parsing.envelopes import TableRows
from annotation.values.exchange import AnswerKind, Exchange, ExchangedAnswer, ExchangedItem
from annotation.values.records import AnnotationRecord, ReleaseRecord

LABEL = "Answer"
"""The label of all marks that are written."""
WORDS: Mapping[AnswerKind, str] = {"yes": "Yes", "no": "No", "none": "No answer"}
COLUMNS = (ITEM_ID, TITLE, PROMPT_FIELD, "answer", "kind", "start", "end", "words", "text")


@dataclass(frozen=True)
class ExchangeLayout:
    """A layout for files: the pattern of their names, what is around their records, and the records of an item.

    `kinds`: the answers that it has a place for.
    """

    title: Any
    pattern: str
    container: Literal["lines", "array"] | TableRows
    records: Callable[[ExchangedItem], Iterable[dict[str, Any]]]
    kinds: frozenset[AnswerKind] = frozenset({"spans", "yes", "no", "none", "words"})

    def written(self, item: ExchangedItem) -> tuple[ExchangedAnswer, ...]:
        """The answers of an item that a file has."""
        return tuple(answer for answer in item.answers if answer.kind in self.kinds)


def records(layout: ExchangeLayout, exchange: Exchange, members: Iterable[ReleaseRecord]) -> Iterator[dict[str, Any]]:
    """The records of a release in a layout. ReleaseRefused for an item that has changed."""
    for record in members:
        for item in exchange.items(record):
            yield from layout.records(item)


def notes(layout: ExchangeLayout, exchange: Exchange, record: ReleaseRecord) -> Iterator[str]:
    """What the layout has no place for, in sentences."""
    for item in exchange.items(record):
        yield from item.notes
        if left := len(item.answers) - len(layout.written(item)):
            yield f"{item.external_id}: {left} of {len(item.answers)} answers are no marks, and are left out."


def counted(
    layout: ExchangeLayout, exchange: Exchange, record: ReleaseRecord
) -> Iterator[tuple[str, str, Sequence[AnnotationRecord]]]:
    """What a file has of a record: its item, if anything of it is there, and those under it with their annotations."""
    written = {
        item.external_id: [answer.annotation for answer in layout.written(item) if answer.annotation is not None]
        for item in exchange.items(record)
        if next(iter(layout.records(item)), None) is not None
    }
    if written:
        for one in (record, *(child for child in record.children if child.item.external_id in written)):
            yield one.item.kind, one.item.external_id, written.get(one.item.external_id, [])


def _about(item: ExchangedItem) -> dict[str, Any]:
    return {ITEM_ID: item.external_id, TITLE: item.title, PROMPT_FIELD: item.prompt}


def _task(item: ExchangedItem) -> Iterator[dict[str, Any]]:
    """A task of Label Studio, with an annotation for each answer; nobody is named in them."""
    annotations = [{"result": list(_results(item, number, answer))} for number, answer in enumerate(item.answers, 1)]
    yield {"data": {"text": item.text} | _about(item), "annotations": annotations}


def _results(item: ExchangedItem, number: int, answer: ExchangedAnswer) -> Iterator[dict[str, Any]]:
    for place, (start, end) in enumerate(answer.spans, start=1):
        value = {"start": start, "end": end, "text": item.text[start:end], "labels": [LABEL]}
        about = {"id": f"{number}-{place}", "from_name": "answer", "to_name": "text", "type": "labels"}
        yield about | {"value": value}
    if answer.kind in WORDS:
        about = {"id": f"{number}-1", "from_name": "choice", "to_name": "text", "type": "choices"}
        yield about | {"value": {"choices": [WORDS[answer.kind]]}}
    if answer.kind == "words":
        about = {"id": f"{number}-1", "from_name": "words", "to_name": "text", "type": "textarea"}
        yield about | {"value": {"text": [answer.words]}}


def _examples(item: ExchangedItem) -> Iterator[dict[str, Any]]:
    """A line of doccano for each answer, as it writes one for each person; one without marks for an unanswered item."""
    written = DOCCANO.written(item)
    for answer in written or (() if item.answers else (ExchangedAnswer("none"),)):
        yield {"text": item.text, "label": [[start, end, LABEL] for start, end in answer.spans]} | _about(item)


def _line(item: ExchangedItem) -> Iterator[dict[str, Any]]:
    answers = []
    for answer in item.answers:
        marks = [{"start": start, "end": end, "words": item.text[start:end]} for start, end in answer.spans]
        given = {"kind": answer.kind, "marks": marks, "words": answer.words}
        answers.append({key: value for key, value in given.items() if value})
    yield _about(item) | {"text": item.text, "answers": answers}


def _rows(item: ExchangedItem) -> Iterator[dict[str, Any]]:
    """A row for each mark, and for each answer or item without one."""
    empty = dict.fromkeys(COLUMNS, "") | _about(item) | {"text": item.text}
    if not item.answers:
        yield empty
    for number, answer in enumerate(item.answers, start=1):
        about = empty | {"answer": number, "kind": answer.kind, "words": answer.words}
        if not answer.spans:
            yield about
        for start, end in answer.spans:
            yield about | {"start": start, "end": end, "words": item.text[start:end]}


DOCCANO = ExchangeLayout(
    _("doccano"), "{split}-doccano.jsonl", "lines", _examples, frozenset[AnswerKind]({"spans", "none"})
)
LAYOUTS: Mapping[str, ExchangeLayout] = {
    "label_studio": ExchangeLayout(_("Label Studio"), "{split}-label-studio.json", "array", _task),
    "doccano": DOCCANO,
    "jsonl": ExchangeLayout(_("JSON Lines"), "{split}.jsonl", "lines", _line),
    "csv": ExchangeLayout(_("CSV"), "{split}.csv", TableRows(COLUMNS), _rows),
}
"""By the keys of the formats of releases."""
