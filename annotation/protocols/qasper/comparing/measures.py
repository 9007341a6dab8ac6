"""What is compared of two answers: their type, their evidence, and the official Answer F1 and Evidence F1."""

from __future__ import annotations

from typing import Any

from annotation.i18n import _
from annotation.protocols.qasper import schemas
from annotation.protocols.qasper.scoring import alike_evidence, answer_text, places, reference_of
from annotation.statistics.token_f1 import f1_similarity
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, latest_payload

UNANSWERABLE = "Unanswerable"
"""What the official evaluator compares where there is no answer."""
TYPES = {"extractive": "extractive", "abstractive": "abstractive", "boolean": "yes_no", "none": "unanswerable"}
"""The evaluator's types by our names."""


def answer(annotation: AnnotationRecord) -> Any:
    """The payload of the answer."""
    return latest_payload(annotation.answers, "answer")


def kind(annotation: AnnotationRecord) -> str | None:
    """The type of the answer; None for a published one without a type."""
    payload = answer(annotation)
    if not isinstance(payload, schemas.PublishedAnswer):
        return None if payload is None else payload.kind
    try:
        return TYPES[reference_of(payload.model_dump()).type]
    except ValueError:
        return None


def answerable(annotation: AnnotationRecord) -> str | None:
    """Whether the paper answers the question."""
    found = kind(annotation)
    return None if found is None else "unanswerable" if found == "unanswerable" else "answered"


def evidence(annotation: AnnotationRecord) -> frozenset[Any] | None:
    """The paragraphs, figures and tables chosen, "f" before the latter; None if unanswerable, or published."""
    payload = answer(annotation)
    if payload is None or isinstance(payload, schemas.PublishedAnswer | schemas.Unanswerable):
        return None
    return frozenset(place if where == "paragraph" else f"f{place}" for where, place in places(payload))


def text(annotation: AnnotationRecord) -> str:
    """The text that the official evaluator compares."""
    found = answer_text(answer(annotation))
    return UNANSWERABLE if found is None else found


def evidence_f1(one: Any, other: Any) -> float:
    """Evidence F1, with none for unanswerable."""
    without = [isinstance(payload, schemas.Unanswerable) for payload in (one, other)]
    if not any(without):
        return alike_evidence(one, other)
    return float(all(missing or not payload.evidence for missing, payload in zip(without, (one, other), strict=True)))


MEASURES = (
    Measure("kind", _("Type of answer"), "answer", "nominal", kind, "answer"),
    Measure("answerable", _("Answerable or not"), "answer", "nominal", answerable, "answer"),
    Measure(
        "evidence",
        _("Evidence"),
        "answer",
        "set",
        evidence,
        "answer",
        everywhere=(frozenset(),),
        not_published=_("a published file has the texts of the evidence, not its places. Evidence F1 compares them."),
    ),
    Comparison("answer_f1", _("Answer F1"), "answer", text, f1_similarity, stage="answer"),
    Comparison("evidence_f1", _("Evidence F1"), "answer", answer, evidence_f1, stage="answer"),
)
