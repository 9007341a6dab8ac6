"""What is compared of two answers: whether there is one, whether it is the same, and its token F1."""

from __future__ import annotations

from annotation.i18n import _
from annotation.protocols.squad.scoring import answer_text, f1_or_none
from annotation.statistics.token_f1 import tokens
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, latest_payload


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
