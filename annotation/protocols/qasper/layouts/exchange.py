"""Questions about texts from other annotation tools, as about papers of one section; and questions for those tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import orjson

from annotation.documents.spans import moved
from annotation.errors import ReleaseRefused
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.parsing.whole_files import DEFAULT_SPLIT
from annotation.protocols.qasper import admission, formats, schemas
from annotation.protocols.qasper.layout_v03 import PaperRecord
from annotation.protocols.qasper.papers import PaperText
from annotation.values.exchange import Exchange, ExchangedAnswer, ExchangedItem, Span
from annotation.values.records import AnnotationRecord, ReleaseRecord, latest_payload

MOVED = "the words of an answer are not in the paper; it is left out."


def read(source: ImportSource, items: Sequence[ExchangedItem]) -> Iterator[IncomingItem | RefusedLine]:
    """The texts as papers without an abstract, each line a paragraph, with the questions about them."""
    papers: dict[tuple[str, str], list[ExchangedItem]] = {}
    for item in items:
        papers.setdefault((item.title, item.text), []).append(item)
    records: list[formats.Read] = [
        (asked[0].line, _paper(*key, asked, published=source.published), admission.Stated())
        for key, asked in papers.items()
    ]
    by_id = {item.external_id: item for item in items}
    split = source.split or DEFAULT_SPLIT
    for found in formats.read_papers(source, records, split=split):
        if isinstance(found, IncomingItem) and found.kind == "question":
            item = by_id[found.external_id]
            found = replace(found, line=item.line, notes=(*found.notes, *item.notes))
        yield found


def _paper(title: str, text: str, asked: list[ExchangedItem], *, published: bool) -> PaperRecord:
    """A text as a paper, with an id by what it says."""
    name = sha256(orjson.dumps([title, text])).hexdigest()[:24]
    document = {
        "title": title,
        "abstract": "",
        "full_text": [{"section_name": None, "paragraphs": text.split("\n")}],
        "figures_and_tables": [],
    }
    return PaperRecord(name, document, tuple(_question(item, published=published) for item in asked))


def _question(item: ExchangedItem, *, published: bool) -> dict[str, Any]:
    answers = [
        {"annotation_id": f"{item.external_id}-{number}", "answer": _answer(item, answer)}
        for number, answer in enumerate(item.answers, start=1)
    ]
    made: dict[str, Any] = {"question": item.prompt, "question_id": item.external_id}
    return made | ({"answers": answers} if published or answers else {})


def _answer(item: ExchangedItem, answer: ExchangedAnswer) -> dict[str, Any]:
    """An answer in the published layout; evidence are the paragraphs in which it has marks."""
    evidence: list[str] = []
    at = 0
    for paragraph in item.text.split("\n"):
        if any(start < at + len(paragraph) and at < end for start, end in answer.spans):
            evidence.append(paragraph)
        at += len(paragraph) + 1
    return {
        "unanswerable": answer.kind == "none",
        "extractive_spans": [item.text[start:end] for start, end in answer.spans],
        "yes_no": {"yes": True, "no": False}.get(answer.kind),
        "free_form_answer": answer.words,
        "evidence": list(dict.fromkeys(evidence)),
        "highlighted_evidence": [],
    }


def items(record: ReleaseRecord) -> Iterator[ExchangedItem]:
    """The questions about a paper with their answers; its paragraphs are the lines of the text.

    A published answer whose words are not in the paper is left out, with a note.
    """
    paper = PaperText.from_document(record.item.documents[0])
    text = "\n".join(paper.paragraphs)
    for child in record.children:
        name = child.item.external_id
        found = [_given(one, name, paper, text) for one in child.annotations]
        answers = tuple(each for each in found if each is not None)
        notes = tuple(f"Question {name}: {MOVED}" for each in found if each is None)
        asked = schemas.Question.from_stored(child.item.payload).question
        yield ExchangedItem(0, name, schemas.Paper.from_stored(record.item.payload).title, text, asked, answers, notes)


def _given(annotation: AnnotationRecord, name: str, paper: PaperText, text: str) -> ExchangedAnswer | None:
    payload = latest_payload(annotation.answers, "answer")
    if isinstance(payload, schemas.PublishedAnswer):
        return _published(payload, annotation, paper, text)
    if isinstance(payload, schemas.Extractive):
        places = [_place(span, name, paper) for span in payload.spans]
        return ExchangedAnswer("spans", tuple(sorted(places)), annotation=annotation)
    if isinstance(payload, schemas.YesNo):
        return ExchangedAnswer("yes" if payload.value else "no", annotation=annotation)
    if isinstance(payload, schemas.Abstractive):
        return ExchangedAnswer("words", words=payload.text, annotation=annotation)
    return ExchangedAnswer("none", annotation=annotation)


def _published(
    payload: schemas.PublishedAnswer, annotation: AnnotationRecord, paper: PaperText, text: str
) -> ExchangedAnswer | None:
    """A published answer as what its evaluator takes it for; None if its words are not in the paper."""
    if payload.unanswerable:
        return ExchangedAnswer("none", annotation=annotation)
    if payload.extractive_spans:
        places = [_place_of_words(words, payload.evidence, paper, text) for words in payload.extractive_spans]
        spans = tuple(sorted({place for place in places if place is not None}))
        return None if None in places else ExchangedAnswer("spans", spans, annotation=annotation)
    if payload.free_form_answer:
        return ExchangedAnswer("words", words=payload.free_form_answer, annotation=annotation)
    return ExchangedAnswer("yes" if payload.yes_no else "no", annotation=annotation)


def _place_of_words(words: str, evidence: Iterable[str], paper: PaperText, text: str) -> Span | None:
    """Where words are first in the evidence, or else in the text: the layout does not say where they are."""
    chosen, at = set(evidence), 0
    for paragraph in paper.paragraphs:
        if paragraph in chosen and words and (place := paragraph.find(words)) >= 0:
            return at + place, at + place + len(words)
        at += len(paragraph) + 1
    place = text.find(words) if words.strip() else -1
    return None if place < 0 else (place, place + len(words))


def _place(span: schemas.AnswerSpan, name: str, paper: PaperText) -> Span:
    """The place of our own mark in the text. ReleaseRefused if the paper has other words there."""
    problem = moved(span.marked, paper.paragraphs)
    if problem:
        raise ReleaseRefused(f"Question {name}: {problem.message}")
    at = sum(len(paragraph) + 1 for paragraph in paper.paragraphs[: span.paragraph])
    return at + span.start, at + span.end


EXCHANGE = Exchange(frozenset({"spans", "yes", "no", "none", "words"}), several=True, read=read, items=items)
