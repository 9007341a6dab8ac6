"""What is compared of two writers: whether they answer, their words, opinions and entities, and the type they say."""

from __future__ import annotations

from annotation.i18n import _
from annotation.protocols.dureader.rules import answers_in, likeness
from annotation.protocols.dureader.schemas import Typed
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, latest_payload


def answered(annotation: AnnotationRecord) -> str | None:
    """Whether the documents answer the question."""
    found = answers_in(annotation)
    return None if found is None else "answered" if found else "no answer"


def opinions(annotation: AnnotationRecord) -> str | None:
    """The opinions of all answers, each once, in a fixed order; None where there are none."""
    found = sorted({each.opinion for each in answers_in(annotation) or () if each.opinion})
    return " ".join(found) or None


def entities(annotation: AnnotationRecord) -> frozenset[str] | None:
    """The entities of all answers, without white space around them; None where there are none."""
    found = frozenset(name.strip() for each in answers_in(annotation) or () for name in each.entities)
    return found or None


def question_type(annotation: AnnotationRecord) -> str | None:
    """The type that this person says the question has."""
    said = latest_payload(annotation.answers, "kind")
    return said.question_type if isinstance(said, Typed) else None


MEASURES = (
    Comparison("words", _("Words of the answers (F1)"), "compose", answers_in, likeness, stage="answers"),
    Measure("opinion", _("Opinion"), "compose", "nominal", opinions, "answers"),
    Measure("entities", _("Entities"), "compose", "set", entities, "answers", everywhere=()),
    Measure("answered", _("Answered or not"), "compose", "nominal", answered, "answers"),
    Measure(
        "question_type",
        _("Type of the question"),
        "compose",
        "nominal",
        question_type,
        "kind",
        not_published=_("A published question has its type; nobody says it."),
    ),
)
