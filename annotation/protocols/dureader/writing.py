"""Write rows of DuReader 2.0, those of a dataset, and those that the repository's script reads. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from annotation.i18n import _
from annotation.protocol import Format
from annotation.protocol_tools import DatasetTable
from annotation.protocols.dureader.rules import answers_in
from annotation.protocols.dureader.schemas import Composed, PublishedAnswers, Question, Typed
from annotation.values.records import AnnotationRecord, ReleaseRecord, latest_payload


def rows(format: str, records: Iterable[ReleaseRecord]) -> Iterator[dict[str, Any]]:
    """The row of each question; KeyError for a format that is not one of FORMATS."""
    write = {"v2.0": release_row, "repository": reference_row}[format]
    yield from map(write, records)


def release_row(record: ReleaseRecord) -> dict[str, Any]:
    """A row of the release: keys that do not apply are absent.

    What was computed from the published answers is there as long as nobody has added to them.
    """
    question, documents = Question.from_stored(record.item.payload), orjson.loads(record.item.documents[0].source)
    found = [_answers_payload(one) for one in record.annotations]
    kind, fact = kind_of(record, question)
    written: dict[str, Any] = {"question_id": int(record.item.external_id), "question": question.question}
    written |= {key: value for key, value in (("question_type", kind), ("fact_or_opinion", fact)) if value}
    if kind == "YES_NO" and question.question_type is None:
        written["yesno_type"] = fact  # published yes-no questions have it; what came with a type is kept as it came
    alone = found[0] if len(found) == 1 and isinstance(found[0], PublishedAnswers) else None
    written["documents"] = [document | _of_document(place, found, alone) for place, document in enumerate(documents)]
    if found:
        written |= _answers(found, kind)
    return written | (alone.fields if alone else {}) | question.fields


def kind_of(record: ReleaseRecord, question: Question) -> tuple[str, str]:
    """Its type, and fact or opinion: as it came, or else as most of its writers say, the first of equal ones."""
    said = [
        payload
        for one in record.annotations
        for payload in [latest_payload(one.answers, "kind")]
        if isinstance(payload, Typed)
    ]
    types, facts = [each.question_type for each in said], [each.fact_or_opinion for each in said]
    return (
        question.question_type or max(types, key=types.count, default=""),
        question.fact_or_opinion or max(facts, key=facts.count, default=""),
    )


def _answers_payload(annotation: AnnotationRecord) -> PublishedAnswers | Composed:
    found = latest_payload(annotation.answers, "answers")
    assert isinstance(found, PublishedAnswers | Composed)
    return found


def _of_document(place: int, payloads: list[Any], alone: PublishedAnswers | None) -> dict[str, Any]:
    """What is said of a document together with the answers."""
    if alone is not None:
        return alone.documents[place] if place < len(alone.documents) else {}
    if not payloads:
        return {}
    used = [
        place in each.used if isinstance(each, Composed) else bool(each.documents[place].get("is_selected"))
        for each in payloads
    ]
    return {"is_selected": any(used)}


def _answers(payloads: list[PublishedAnswers | Composed], kind: str) -> dict[str, Any]:
    """The answers of all, in order, with the lists that are parallel to them."""
    texts: list[str] = []
    opinions: list[str] = []
    entities: list[list[str]] = []
    for each in payloads:
        if isinstance(each, Composed):
            texts += [one.text for one in each.answers]
            opinions += [one.opinion or "" for one in each.answers]
            entities += [list(one.entities) for one in each.answers]
        else:
            texts += each.answers
            opinions += each.yesno_answers or [""] * len(each.answers)
            entities += [list(one) for one in each.entity_answers or [()] * len(each.answers)]
    written: dict[str, Any] = {"answers": texts}
    published = [each for each in payloads if isinstance(each, PublishedAnswers)]
    if kind == "YES_NO" or any(each.yesno_answers is not None for each in published):
        written["yesno_answers"] = opinions
    if kind == "ENTITY" or any(each.entity_answers is not None for each in published):
        written["entity_answers"] = entities
    return written


def reference_row(record: ReleaseRecord) -> dict[str, Any]:
    """A reference as the repository's script reads it: every list is there, empty or with an empty list."""
    row = release_row(record)
    return {
        "question_id": row["question_id"],
        "question_type": row.get("question_type", "DESCRIPTION"),
        "source": Question.from_stored(record.item.payload).source or "search",
        "answers": row.get("answers", []),
        "yesno_answers": row.get("yesno_answers", []),
        "entity_answers": row.get("entity_answers") or [[]],
    }


COLUMNS = {
    "question_id": "int64",
    "question": "string",
    "question_type": "string",
    "fact_or_opinion": "string",
    "documents": [{"title": "string", "paragraphs": ["string"], "is_selected": "bool"}],
    "answers": ["string"],
    "yesno_answers": ["string"],
    "entity_answers": [["string"]],
}


def dataset_rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The question with its documents and answers; None for what its row does not have."""
    row = release_row(record)
    documents = [
        {key: document.get(key) for key in ("title", "paragraphs", "is_selected")} for document in row["documents"]
    ]
    yield {key: row.get(key) for key in COLUMNS} | {"documents": documents}


TABLE = DatasetTable(COLUMNS, dataset_rows, task="question-answering")


def notes(record: ReleaseRecord) -> Iterator[str]:
    """What parallel lists of answers can't say: who found none, and that people saw different types in the question."""
    found = [answers_in(each) for each in record.annotations]
    none = sum(each is not None and not each for each in found)
    if none and none < len(found):
        yield f"{none} of {len(found)} people found no answer"
    question = Question.from_stored(record.item.payload)
    if question.question_type is None and record.annotations:
        alone = (ReleaseRecord(item=record.item, annotations=(each,)) for each in record.annotations)
        types = {kind_of(one, question)[0] for one in alone}
        if len(types) > 1:
            yield "people differ on the type of the question; most say " + kind_of(record, question)[0]


FORMATS = (
    Format(
        key="v2.0",
        title=_("DuReader 2.0"),
        pattern="{split}.json",
        kind="question",
        activity="compose",
        notes=notes,
    ),
    Format(
        key="repository",
        title=_("References of the repository’s script"),
        pattern="{split}.references.json",
        kind="question",
        activity="compose",
        notes=notes,
    ),
)
