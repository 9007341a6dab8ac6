"""What an answer is worth against references: answerable or not, Answer F1, and Evidence F1 by paragraphs.

As in the official evaluator each figure is the best of its own, whichever reference gives it, and evidence is compared
by the texts of whole paragraphs and captions, as a release has them. In two things it is kinder: equal answers without
a token have F1 1, and evidence that repeats a text counts it once. References without a type are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from annotation.i18n import _
from annotation.protocols.qasper.comparing.measures import answerable, kind, text
from annotation.protocols.qasper.papers import FLOAT, PaperText
from annotation.protocols.qasper.writing import evidence_of
from annotation.statistics.token_f1 import f1_fraction, f1_points
from annotation.values.records import AnnotationRecord, ItemRecord, Step
from annotation.values.scores import NOTHING, Part, Score, Wording, best_scores, quotation

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
