"""What answers are worth against references: whether there are any, their words, opinions and entities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from annotation.i18n import _
from annotation.protocols.dureader.measures import entities, opinions
from annotation.protocols.dureader.rules import answers_in, likeness
from annotation.values.records import AnnotationRecord, Step
from annotation.values.scores import (
    NOTHING,
    Part,
    Score,
    Scores,
    Wording,
    best_scores,
    points_of_likeness,
    quotation,
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
    words = points_of_likeness(likeness(own or (), theirs)) if right else Fraction(0)
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
