"""Writing papers in the QASPER v0.3 layout; every quote of our own must still be what the paper says at its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from annotation.errors import ReleaseRefused
from annotation.protocols.qasper import checks, schemas
from annotation.protocols.qasper.layout_v03 import SAID_OF_WRITER
from annotation.protocols.qasper.oddities import beginning
from annotation.protocols.qasper.papers import FLOAT, OURS, PaperText
from annotation.protocols.qasper.schemas import paper_of, question_of
from annotation.records import AnnotationRecord, ReleaseRecord, said


def paper(record: ReleaseRecord) -> dict[str, Any]:
    """One paper with its questions and their answers; what was imported has every value with which it came."""
    text = PaperText.of(record.item.documents[0])
    written: dict[str, Any] = {key: text.raw[key] for key in ("title", "abstract", "full_text")}
    if record.children or "qas" not in paper_of(record.item.payload).absent:
        written["qas"] = [_question(child, text) for child in record.children]
    if "figures_and_tables" in text.raw:
        written["figures_and_tables"] = text.raw["figures_and_tables"]
    if OURS in text.raw:
        written["figures_and_tables"] = [
            {key: entry[key] for key in ("file", "caption")} for entry in text.raw["figures_and_tables"]
        ]
    return written | {key: value for key, value in text.raw.items() if key != OURS and key not in written}


def _question(record: ReleaseRecord, text: PaperText) -> dict[str, Any]:
    question = question_of(record.item.payload)
    written: dict[str, Any] = {"question": question.question, "question_id": record.item.external_id}
    written |= {key: getattr(question, key) for key in SAID_OF_WRITER}
    written["question_writer"] = question.published.get("question_writer", record.author)
    written["answers"] = [_answer(one, record.item.external_id, text) for one in record.annotations]
    # Answers made since the import are no longer absent.
    absent = {key for key in question.absent if key != "answers" or not record.annotations}
    return {key: value for key, value in written.items() if key not in absent} | question.published


def _answer(annotation: AnnotationRecord, question_id: str, text: PaperText) -> dict[str, Any]:
    payload = said(annotation.said, "answer")
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
    """A sentence for each question whose evidence is a text that its paper has more than once."""
    text = PaperText.of(record.item.documents[0])
    times = Counter([*text.paragraphs, *(FLOAT + caption for caption in text.captions)])
    for child in record.children:
        chosen = (string for one in child.annotations for string in _evidence_of(one, text))
        for string in dict.fromkeys(chosen):
            if times[string] > 1:
                yield (
                    f"Paper {record.item.external_id}, question {child.item.external_id}: the evidence"
                    f" {beginning(string)} stands in the paper {times[string]} times; the evaluator compares texts and"
                    " takes them for one."
                )


def _evidence_of(annotation: AnnotationRecord, text: PaperText) -> list[str]:
    payload = said(annotation.said, "answer")
    if isinstance(payload, schemas.PublishedAnswer):
        return list(payload.evidence)
    return evidence(getattr(payload, "evidence", ()), text)


def evidence(units: tuple[schemas.EvidenceUnit, ...], text: PaperText) -> list[str]:
    """The paragraphs that the chosen sentences stand in, then captions, in the order of the paper, each once."""
    paragraphs = sorted({unit.paragraph for unit in units if isinstance(unit, schemas.SentencesUnit)})
    return list(dict.fromkeys([text.paragraphs[place] for place in paragraphs] + _floats(units, text)))


def highlighted(units: tuple[schemas.EvidenceUnit, ...], text: PaperText) -> list[str]:
    """The chosen sentences, neighbours as one verbatim text, then captions, in the order of the paper, each once."""
    quotes = [text.run(*run) for run in checks.runs(units)]
    return list(dict.fromkeys(quotes + _floats(units, text)))


def _floats(units: tuple[schemas.EvidenceUnit, ...], text: PaperText) -> list[str]:
    chosen = sorted({unit.index for unit in units if isinstance(unit, schemas.FloatUnit)})
    return [FLOAT + text.captions[index] for index in chosen]
