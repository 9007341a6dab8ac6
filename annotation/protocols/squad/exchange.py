"""Questions about paragraphs from other annotation tools, and for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.protocols.squad import reading, schemas, spreadsheets, writing
from annotation.protocols.squad.schemas import Paragraph, PublishedAnswer, Question
from annotation.values.exchange import Exchange, ExchangedAnswer, ExchangedItem
from annotation.values.records import AnnotationRecord, ReleaseRecord, latest_payload

MIXED = "Some say that it has no answer, which the layouts have no place for beside the answers of others."
MOVED = "an answer is not at its place in the text, and is left out."
OUTVOTED = "Most say that it has no answer; the answers of the others were left out."


def read(source: ImportSource, questions: Sequence[ExchangedItem]) -> Iterator[IncomingItem | RefusedLine]:
    """The paragraphs that the questions are about, each with its questions.

    Texts of a title are one article. Of answers of both kinds those of the majority are taken, in a tie the marks.
    """
    rows = spreadsheets.grouped((each.line, each.title, each.text, _question(each)) for each in questions)
    notes = {each.external_id: (*each.notes, *_left_out(each)) for each in questions}
    yield from reading.read_articles(source, rows, notes if source.published else _only_brought(questions))


def _only_brought(questions: Iterable[ExchangedItem]) -> dict[str, tuple[str, ...]]:
    """A note on each question whose answers stay behind, since people are to answer it here."""
    return {each.external_id: ("Its answers were left out.",) for each in questions if each.answers}


def _question(question: ExchangedItem) -> dict[str, Any]:
    """The question in the layout of a file."""
    made: dict[str, Any] = {"id": question.external_id, "question": question.prompt, "answers": []}
    if question.answers:
        made["is_impossible"] = is_impossible(question)
        for answer in () if made["is_impossible"] else question.answers:
            for start, end in answer.spans:
                made["answers"].append({"text": question.text[start:end], "answer_start": start})
    return made


def is_impossible(question: ExchangedItem) -> bool:
    """Whether most of its answers say that there is none."""
    return 2 * sum(answer.kind == "none" for answer in question.answers) > len(question.answers)


def _left_out(question: ExchangedItem) -> Iterator[str]:
    if len({answer.kind for answer in question.answers}) > 1:
        yield OUTVOTED if is_impossible(question) else MIXED


def questions(record: ReleaseRecord) -> Iterator[ExchangedItem]:
    """The questions about a paragraph with all of their answers, that of the writer first.

    A published answer whose words are not at its place is left out, with a note.
    """
    text, title = record.item.documents[0].text, Paragraph.from_stored(record.item.payload).title
    for child in record.children:
        name, said = child.item.external_id, Question.from_stored(child.item.payload)
        found = list(_answers(child, said, text))
        notes = tuple(f"Question {name}: {MOVED}" for answer in found if answer is None)
        answers = tuple(answer for answer in found if answer is not None)
        yield ExchangedItem(0, name, title, text, said.question, answers, notes)


def _answers(record: ReleaseRecord, question: Question, text: str) -> Iterator[ExchangedAnswer | None]:
    if question.is_impossible:
        yield ExchangedAnswer("none")
    elif question.answer is not None:
        yield _of_words(writing.span_of(question.answer, record, text), text)
    for annotation in record.annotations:
        payload = latest_payload(annotation.answers, "answer")
        if isinstance(payload, schemas.Unanswerable):
            yield ExchangedAnswer("none", annotation=annotation)
        elif isinstance(payload, PublishedAnswer):
            yield _of_words(payload, text, annotation)
        elif isinstance(payload, schemas.Marked):
            yield _of_words(writing.span_of(payload.span, record, text), text, annotation)


def _of_words(answer: PublishedAnswer, text: str, annotation: AnnotationRecord | None = None) -> ExchangedAnswer | None:
    """The place of a published answer; None if its words are not there."""
    places = answer.places_in(text)
    return ExchangedAnswer("spans", places, annotation=annotation) if places else None


EXCHANGE = Exchange(frozenset({"spans", "none"}), several=False, read=read, items=questions)
