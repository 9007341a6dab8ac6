"""Write articles in the layouts of SQuAD and as a dataset, after checking that our spans still match the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any

from annotation.documents.spans import MarkedSpan, moved
from annotation.errors import ReleaseRefused
from annotation.i18n import _
from annotation.parsing.envelopes import Envelope
from annotation.protocol import Format
from annotation.protocol_tools import DatasetTable
from annotation.protocols.squad import schemas
from annotation.protocols.squad.schemas import Paragraph, PublishedAnswer, Question
from annotation.values.records import AnnotationRecord, ReleaseRecord, latest_payload

KEYS = ("text", "answer_start")


def articles(format: str, records: Iterable[ReleaseRecord]) -> Iterator[dict[str, Any]]:
    """The articles of the paragraphs, in order; imported values are written unchanged.

    SQuAD 1.1 can't represent impossible questions: they are left out, and `notes_v1` reports them. KeyError for a
    format that is not one of FORMATS.
    """
    v2 = {"v2.0": True, "v1.1": False}[format]
    for _article, found in groupby(records, key=lambda record: record.item.payload["article"]):
        parts = list(found)
        about = [Paragraph.from_stored(record.item.payload) for record in parts]
        yield from chain.from_iterable(one.before for one in about)
        paragraphs = [_paragraph(record, v2=v2) for record in parts]
        yield {"title": about[0].title, "paragraphs": paragraphs} | about[0].article_fields
        yield from chain.from_iterable(one.after for one in about)


def _paragraph(record: ReleaseRecord, *, v2: bool) -> dict[str, Any]:
    context = record.item.documents[0].text
    asked = [_question(child, context, v2=v2) for child in record.children if v2 or not is_impossible(child)]
    written = {"qas": asked, "context": context} if v2 else {"context": context, "qas": asked}
    return written | Paragraph.from_stored(record.item.payload).fields


def _question(record: ReleaseRecord, context: str, *, v2: bool) -> dict[str, Any]:
    question, name = Question.from_stored(record.item.payload), record.item.external_id
    answers = [_answer(one, v2=v2) for one in answers_of(record, context)]
    if v2:
        written: dict[str, Any] = {}
        if question.plausible_answers is not None:
            written["plausible_answers"] = [_answer(one, v2=v2) for one in question.plausible_answers]
        written |= {"question": question.question, "id": name, "answers": answers}
        written["is_impossible"] = is_impossible(record)
    else:
        written = {"answers": answers, "question": question.question, "id": name}
    # Answers made since the import are no longer absent.
    absent = {key for key in question.absent if key != "answers" or not answers}
    return {key: value for key, value in written.items() if key not in absent} | question.fields


def _answer(answer: PublishedAnswer, *, v2: bool) -> dict[str, Any]:
    values = {"text": answer.text, "answer_start": answer.answer_start}
    return {key: values[key] for key in (KEYS if v2 else reversed(KEYS))} | answer.fields


def is_impossible(record: ReleaseRecord) -> bool:
    """Whether a question is impossible: according to its writer, otherwise by majority of its answers.

    In a tie it is answerable (the rule of the 2.0 paper).
    """
    question = Question.from_stored(record.item.payload)
    if question.is_impossible is not None:
        return question.is_impossible
    found = [latest_payload(one.answers, "answer") for one in record.annotations]
    without = sum(isinstance(one, schemas.Unanswerable) for one in found)
    return 2 * without > len(found)


def answers_of(record: ReleaseRecord, context: str) -> list[PublishedAnswer]:
    """The answers of a question for the published layouts: its writer's, then other people's, in order.

    An impossible question keeps only published answers. ReleaseRefused if a span does not match the text.
    """
    impossible = is_impossible(record)
    own = Question.from_stored(record.item.payload).answer
    found = [] if own is None or impossible else [span_of(own, record, context)]
    for annotation in record.annotations:
        payload = latest_payload(annotation.answers, "answer")
        if isinstance(payload, PublishedAnswer):
            found.append(payload)
        elif isinstance(payload, schemas.Marked) and not impossible:
            found.append(span_of(payload.span, record, context))
    return found


def span_of(span: MarkedSpan, record: ReleaseRecord, context: str) -> PublishedAnswer:
    """Marked words as a published answer; ReleaseRefused if they do not match the text."""
    problem = moved(span, (context,), field="span")
    if problem:
        raise ReleaseRefused(f"Question {record.item.external_id}: {problem.message}")
    return PublishedAnswer(text=span.quote, answer_start=span.start)


def counted(record: ReleaseRecord) -> Iterator[tuple[str, str, Sequence[AnnotationRecord]]]:
    """The paragraph, and its questions with the annotations that agree with their answers or their being impossible."""
    yield "paragraph", record.item.external_id, ()
    for child in record.children:
        impossible = is_impossible(child)
        written = [
            one
            for one in child.annotations
            if _is_written(latest_payload(one.answers, "answer"), impossible=impossible)
        ]
        yield "question", child.item.external_id, written


def counted_v1(record: ReleaseRecord) -> Iterator[tuple[str, str, Sequence[AnnotationRecord]]]:
    """The same without impossible questions."""
    impossible = {child.item.external_id for child in record.children if is_impossible(child)}
    for kind, name, written in counted(record):
        if kind == "paragraph" or name not in impossible:
            yield kind, name, written


def _is_written(payload: Any, *, impossible: bool) -> bool:
    """Whether an answer can be seen in the file: a published one always."""
    return isinstance(payload, PublishedAnswer) or isinstance(payload, schemas.Unanswerable) == impossible


def notes(record: ReleaseRecord) -> Iterator[str]:
    """Notes on the questions of a paragraph: what neither layout can represent."""
    for child in record.children:
        found = [latest_payload(one.answers, "answer") for one in child.annotations]
        marked = sum(isinstance(one, schemas.Marked) for one in found)
        without = sum(isinstance(one, schemas.Unanswerable) for one in found)
        name, question = f"Question {child.item.external_id}", Question.from_stored(child.item.payload)
        if is_impossible(child) and marked:
            yield f"{name} is impossible; {marked} of {len(found)} people marked an answer, which is left out."
        if not is_impossible(child) and without:
            yield f"{name} has an answer; {without} of {len(found)} people found none, which is left out."
        if not found and question.answer is None and question.is_impossible is None and not question.absent:
            yield f"{name} was not answered by anybody."


def notes_v1(record: ReleaseRecord) -> Iterator[str]:
    """The same, and the questions that SQuAD 1.1 can't represent."""
    for child in record.children:
        if is_impossible(child):
            yield f"Question {child.item.external_id} has no answer in its paragraph; SQuAD 1.1 leaves it out."
    yield from notes(record)


FORMATS = (
    Format(
        key="v2.0",
        title=_("SQuAD 2.0"),
        pattern="{split}-v2.0.json",
        kind="paragraph",
        child_kind="question",
        activity="answer",
        root_activities=(),  # what people asked is in the questions
        container=Envelope("data", before={"version": "v2.0"}),
        group="article",
        notes=notes,
        counted=counted,
    ),
    Format(
        key="v1.1",
        title=_("SQuAD 1.1"),
        pattern="{split}-v1.1.json",
        kind="paragraph",
        child_kind="question",
        activity="answer",
        root_activities=(),
        container=Envelope("data", after={"version": "1.1"}),
        group="article",
        notes=notes_v1,
        counted=counted_v1,
    ),
)


COLUMNS = {
    "id": "string",
    "title": "string",
    "context": "string",
    "question": "string",
    "answers": {"text": ["string"], "answer_start": ["int32"]},
}
"""A question without answers is impossible."""


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The questions about a paragraph."""
    context, title = record.item.documents[0].text, Paragraph.from_stored(record.item.payload).title
    for child in record.children:
        answers = answers_of(child, context)
        yield {
            "id": child.item.external_id,
            "title": title,
            "context": context,
            "question": Question.from_stored(child.item.payload).question,
            "answers": {"text": [one.text for one in answers], "answer_start": [one.answer_start for one in answers]},
            "is_impossible": is_impossible(child),
        }


EARLIER = DatasetTable(COLUMNS | {"is_impossible": "bool"}, rows, task="question-answering")
TABLE = DatasetTable(COLUMNS, rows, task="question-answering", earlier=EARLIER)
