"""What is compared of two writers to measure agreement, and what answers are worth against references.

Both ask whether there are any, and for their words, opinions and entities; agreement also for the type of the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from annotation.i18n import _
from annotation.protocols.dureader.rules import answers_in, similarity
from annotation.protocols.dureader.schemas import Typed
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, Step, latest_payload
from annotation.values.scores import (
    NOTHING,
    Part,
    Score,
    Scores,
    Wording,
    best_scores,
    points_of_similarity,
    quotation,
)


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
    Comparison("words", _("Words of the answers (F1)"), "compose", answers_in, similarity, stage="answers"),
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


ANSWERED, WORDS = Part("answered", _("Answered or not")), Part("words", _("Words of the answers"))
OPINION, ENTITIES = Part("opinion", _("Opinion")), Part("entities", _("Entities"))
STEP = Step("answers")


def answer_scores(answer: AnnotationRecord, references: Sequence[AnnotationRecord]) -> tuple[Score, ...]:
    """The parts that a reference has; the reference with the most points counts.

    Opinions and entities are scored where any reference has them, so that which scores there are depends on the
    references alone. Entities: F1 of the sets.
    """
    parts = (
        any(opinions(each) for each in references),
        any(entities(each) for each in references),
    )
    return best_scores(_against(answer, each, parts) for each in references)


def _against(answer: AnnotationRecord, wanted: AnnotationRecord, parts: tuple[bool, bool]) -> Scores:
    own, theirs = answers_in(answer), answers_in(wanted) or ()
    right = own is not None and bool(own) == bool(theirs)
    words = points_of_similarity(similarity(own or (), theirs)) if right else Fraction(0)
    scores = [
        Score(STEP, ANSWERED, Fraction(int(right)), _said_at_all(own), _said_at_all(theirs)),
        Score(STEP, WORDS, words, _texts(own), _texts(theirs)),
    ]
    if parts[0]:
        same = own is not None and opinions(answer) == opinions(wanted)
        scores.append(Score(STEP, OPINION, Fraction(int(same)), _opinion(answer), _opinion(wanted)))
    if parts[1]:
        scores.append(Score(STEP, ENTITIES, _shared(answer, wanted), _names(answer), _names(wanted)))
    return tuple(scores)


def _shared(answer: AnnotationRecord, wanted: AnnotationRecord) -> Fraction:
    one, other = entities(answer) or frozenset(), entities(wanted) or frozenset()
    if not one and not other:
        return Fraction(int(answers_in(answer) is not None))
    return Fraction(2 * len(one & other), len(one) + len(other))


def _said_at_all(answers: Sequence[object] | None) -> Wording:
    if answers is None:
        return NOTHING
    return Wording(_("Answered") if answers else _("No answer"))


def _texts(answers: Sequence[object] | None) -> Wording:
    return quotation(*(getattr(each, "text", "") for each in answers)) if answers else _said_at_all(answers)


def _opinion(annotation: AnnotationRecord) -> Wording:
    found = opinions(annotation)
    return Wording(found, quoted=True) if found else NOTHING


def _names(annotation: AnnotationRecord) -> Wording:
    return quotation(*sorted(entities(annotation) or ()))
