"""What is compared of two answers to measure agreement, and what an answer is worth against references.

Both ask whether there is an answer, and for its token F1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from annotation.i18n import _
from annotation.protocols.squad.scoring import answer_text
from annotation.statistics.token_f1 import f1_or_none, f1_points, tokens
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, Step, latest_payload
from annotation.values.scores import NOTHING, Part, Score, Scores, Wording, best_scores, quotation


def text(annotation: AnnotationRecord) -> str:
    """The text of the answer, "" for none."""
    return answer_text(latest_payload(annotation.answers, "answer"))


def answerable(annotation: AnnotationRecord) -> str:
    """Whether the paragraph answers the question."""
    return "answered" if text(annotation) else "unanswerable"


def normalised(annotation: AnnotationRecord) -> str:
    """The tokens that the official scripts compare, "" for no answer."""
    return " ".join(tokens(text(annotation)))


MEASURES = (
    Measure("answer", _("The same answer"), "answer", "nominal", normalised, "answer", everywhere=("",)),
    Measure("answerable", _("Answerable or not"), "answer", "nominal", answerable, "answer"),
    Comparison("f1", _("Token F1"), "answer", text, f1_or_none, stage="answer"),
)


ANSWERABLE = Part("answerable", _("Answerable or not"))
ANSWER = Part("answer", _("Answer"))
STEP = Step("answer")


def answer_scores(answer: AnnotationRecord, references: Sequence[AnnotationRecord]) -> tuple[Score, ...]:
    """Whether the paragraph answers, and token F1; without an answer on one side that is 0, on both sides 1.

    The reference with the most points counts: it is the one with the best F1.
    """
    own = latest_payload(answer.answers, "answer")
    return best_scores(_against(own, latest_payload(one.answers, "answer")) for one in references)


def _against(own: Any, other: Any) -> Scores:
    one, wanted = answer_text(own), answer_text(other)
    right = own is not None and bool(one) == bool(wanted)
    f1 = f1_points(one, wanted) if right else Fraction(0)
    return (
        Score(STEP, ANSWERABLE, Fraction(int(right)), _kind_wording(own), _kind_wording(other)),
        Score(STEP, ANSWER, f1, _wording(own), _wording(other)),
    )


def _kind_wording(payload: Any) -> Wording:
    if payload is None:
        return NOTHING
    return Wording(_("Answerable") if answer_text(payload) else _("Unanswerable"))


def _wording(payload: Any) -> Wording:
    return quotation(answer_text(payload)) if answer_text(payload) else _kind_wording(payload)
