"""Writes papers in the QASPER v0.3 layout and as a dataset, after checking our answers and quotes again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from annotation.errors import ReleaseRefused
from annotation.parsing.whole_files import quoted_beginning
from annotation.protocol_tools import DatasetTable
from annotation.protocols.qasper import checks, schemas
from annotation.protocols.qasper.layout_v03 import WRITER_FIELDS
from annotation.protocols.qasper.papers import FLOAT, OURS, PaperText
from annotation.protocols.qasper.schemas import Paper, Question
from annotation.values.records import AnnotationRecord, ReleaseRecord, latest_payload


def paper(record: ReleaseRecord) -> dict[str, Any]:
    """A paper with its questions and answers; imported parts keep every value. ReleaseRefused for an invalid answer."""
    text = PaperText.from_document(record.item.documents[0])
    written: dict[str, Any] = {key: text.raw[key] for key in ("title", "abstract", "full_text")}
    if record.children or "qas" not in Paper.from_stored(record.item.payload).absent:
        written["qas"] = [_question(child, text) for child in record.children]
    if "figures_and_tables" in text.raw:
        written["figures_and_tables"] = text.raw["figures_and_tables"]
    if OURS in text.raw:
        written["figures_and_tables"] = [
            {key: entry[key] for key in ("file", "caption")} for entry in text.raw["figures_and_tables"]
        ]
    return written | {key: value for key, value in text.raw.items() if key != OURS and key not in written}


def _question(record: ReleaseRecord, text: PaperText) -> dict[str, Any]:
    question = Question.from_stored(record.item.payload)
    written: dict[str, Any] = {"question": question.question, "question_id": record.item.external_id}
    written |= {key: getattr(question, key) for key in WRITER_FIELDS}
    written["question_writer"] = question.published.get("question_writer", record.author)
    written["answers"] = [_answer(one, record.item.external_id, text) for one in record.annotations]
    # A question imported without `answers` may have some now.
    absent = {key for key in question.absent if key != "answers" or not record.annotations}
    return {key: value for key, value in written.items() if key not in absent} | question.published


def _answer(annotation: AnnotationRecord, question_id: str, text: PaperText) -> dict[str, Any]:
    payload = latest_payload(annotation.answers, "answer")
    if isinstance(payload, schemas.PublishedAnswer):
        answer: dict[str, Any] = {
            "unanswerable": payload.unanswerable,
            "extractive_spans": list(payload.extractive_spans),
            "yes_no": payload.yes_no,
            "free_form_answer": payload.free_form_answer,
            "evidence": list(payload.evidence),
        }
        if payload.highlighted_evidence is not None:
            answer["highlighted_evidence"] = list(payload.highlighted_evidence)
        return {"answer": answer | payload.answer, "annotation_id": annotation.external_id} | payload.published
    for problem in checks.of_answer(payload, text):
        raise ReleaseRefused(f"Question {question_id}, {problem.field}: {problem.message}")
    units = getattr(payload, "evidence", ())
    return {
        "answer": {
            "unanswerable": isinstance(payload, schemas.Unanswerable),
            "extractive_spans": [span.quote for span in getattr(payload, "spans", ())],
            "yes_no": payload.value if isinstance(payload, schemas.YesNo) else None,
            "free_form_answer": payload.text if isinstance(payload, schemas.Abstractive) else "",
            "evidence": evidence(units, text),
            "highlighted_evidence": highlighted(units, text),
        },
        "annotation_id": annotation.id_hex,
        "worker_id": annotation.worker,
    }


def notes(record: ReleaseRecord) -> Iterator[str]:
    """A note for each question whose evidence is a text that occurs more than once in its paper."""
    text = PaperText.from_document(record.item.documents[0])
    times = Counter([*text.paragraphs, *(FLOAT + caption for caption in text.captions)])
    for child in record.children:
        chosen = (string for one in child.annotations for string in evidence_of(one, text))
        for string in dict.fromkeys(chosen):
            if times[string] > 1:
                yield (
                    f"Paper {record.item.external_id}, question {child.item.external_id}: the evidence"
                    f" {quoted_beginning(string)} occurs {times[string]} times in the paper; the evaluator compares"
                    " texts and can't tell them apart."
                )


def evidence_of(annotation: AnnotationRecord, text: PaperText) -> list[str]:
    """The evidence of an annotation as a release has it: whole paragraphs and captions, published ones as they are."""
    payload = latest_payload(annotation.answers, "answer")
    if isinstance(payload, schemas.PublishedAnswer):
        return list(payload.evidence)
    return evidence(getattr(payload, "evidence", ()), text)


def evidence(units: tuple[schemas.EvidenceUnit, ...], text: PaperText) -> list[str]:
    """The paragraphs of the chosen sentences, then captions, in paper order, without duplicates."""
    paragraphs = sorted({unit.paragraph for unit in units if isinstance(unit, schemas.SentencesUnit)})
    return list(dict.fromkeys([text.paragraphs[place] for place in paragraphs] + _floats(units, text)))


def highlighted(units: tuple[schemas.EvidenceUnit, ...], text: PaperText) -> list[str]:
    """The chosen sentences, adjacent ones as one text, then captions, in paper order, without duplicates."""
    quotes = [text.run(*run) for run in checks.runs(units)]
    return list(dict.fromkeys(quotes + _floats(units, text)))


def _floats(units: tuple[schemas.EvidenceUnit, ...], text: PaperText) -> list[str]:
    chosen = sorted({unit.index for unit in units if isinstance(unit, schemas.FloatUnit)})
    return [FLOAT + text.captions[index] for index in chosen]


ANSWER = {
    "unanswerable": "bool",
    "extractive_spans": ["string"],
    "yes_no": "bool",
    "free_form_answer": "string",
    "evidence": ["string"],
    "highlighted_evidence": ["string"],
}
COLUMNS = {
    "id": "string",
    "title": "string",
    "abstract": "string",
    "full_text": [{"section_name": "string", "paragraphs": ["string"]}],
    "figures_and_tables": [{"file": "string", "caption": "string"}],
    "qas": [
        {
            "question": "string",
            "question_id": "string",
            "nlp_background": "string",
            "topic_background": "string",
            "paper_read": "string",
            "search_query": "string",
            "question_writer": "string",
            "answers": [{"answer": ANSWER, "annotation_id": "string", "worker_id": "string"}],
        }
    ],
}


def rows(record: ReleaseRecord) -> Iterator[dict[str, Any]]:
    """The paper with its questions and their answers."""
    yield paper(record) | {"id": record.item.external_id}


TABLE = DatasetTable(COLUMNS, rows, task="question-answering")
