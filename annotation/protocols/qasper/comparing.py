"""What is compared of two answers to measure agreement, and what an answer is worth against references.

Agreement is measured by their type, their evidence, and the official Answer F1 and Evidence F1.

As in the official evaluator each figure of a grade is the best of its own, whichever reference gives it, and evidence
is compared by the texts of whole paragraphs and captions, as a release has them. In two things it is kinder: equal
answers without a token have F1 1, and evidence that repeats a text counts it once. References without a type are left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from annotation.i18n import _
from annotation.protocols.qasper import schemas
from annotation.protocols.qasper.papers import FLOAT, PaperText
from annotation.protocols.qasper.scoring import alike_evidence, answer_text, places, reference_of
from annotation.protocols.qasper.writing import evidence_of
from annotation.statistics.token_f1 import f1_fraction, f1_points, f1_similarity
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, ItemRecord, Step, latest_payload
from annotation.values.scores import NOTHING, Part, Score, Wording, best_scores, quotation

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


ANSWERABLE = Part("answerable", _("Answerable or not"))
ANSWER = Part("answer", _("Answer"))
EVIDENCE = Part("evidence", _("Evidence"))
STEP = Step("answer")


class Graded:
    """An annotation with what is compared of it; `kind` is None if it has no answer, or an imported one has no type."""

    def __init__(self, paper: PaperText, annotation: AnnotationRecord) -> None:
        self.paper, self.annotation, self.kind = paper, annotation, kind(annotation)

    @property
    def answer(self) -> Wording:
        """The text of the answer."""
        if self.kind is None:
            return NOTHING
        return Wording(_("Unanswerable")) if self.kind == "unanswerable" else quotation(text(self.annotation))

    @cached_property
    def evidence(self) -> tuple[str, ...]:
        """The paragraphs and captions as in a release, each text once; none for unanswerable."""
        if self.kind in (None, "unanswerable"):
            return ()
        return tuple(dict.fromkeys(evidence_of(self.annotation, self.paper)))

    @property
    def evidence_wording(self) -> Wording:
        """How the evidence begins."""
        if self.kind is None:
            return NOTHING
        if not self.evidence:
            return Wording(_("No evidence"))
        return quotation(*(one.removeprefix(FLOAT) for one in self.evidence))


def answer_scores(
    item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
) -> tuple[Score, ...]:
    """Three scores, each the best of its own; none without a reference that has a type."""
    paper = PaperText.from_document((item.root or item).documents[0])
    own = Graded(paper, answer)
    others = [found for one in references if (found := Graded(paper, one)).kind is not None]
    parts = (_answerable_score, _answer_score, _evidence_score)
    return tuple(score for part in parts for score in best_scores((part(own, other),) for other in others))


def _answerable_score(own: Graded, other: Graded) -> Score:
    right = own.kind is not None and answerable(own.annotation) == answerable(other.annotation)
    return Score(STEP, ANSWERABLE, Fraction(int(right)), _answerable_wording(own), _answerable_wording(other))


def _answer_score(own: Graded, other: Graded) -> Score:
    points = Fraction(0) if own.kind is None else f1_points(text(own.annotation), text(other.annotation))
    return Score(STEP, ANSWER, points, own.answer, other.answer)


def _evidence_score(own: Graded, other: Graded) -> Score:
    first, second = own.evidence, other.evidence
    points = f1_fraction(len(set(first) & set(second)), len(first), len(second))
    if not first and not second:
        points = Fraction(int(own.kind is not None))
    return Score(STEP, EVIDENCE, points, own.evidence_wording, other.evidence_wording)


def _answerable_wording(one: Graded) -> Wording:
    if one.kind is None:
        return NOTHING
    return Wording(_("Unanswerable") if one.kind == "unanswerable" else _("Answerable"))
