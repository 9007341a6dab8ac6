"""What answers in a conversation or guesses are worth against references, turn by turn.

Three scores a turn: whether it is unknown as in the reference, token F1 as in the official script, and whether the
rationale touches the reference's (has a character in common). Of the references of a turn the one with the most points
in all counts. Answers of conversations are numbered as in a release.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from annotation.i18n import _
from annotation.protocols.coqa.schemas import Answered, PublishedAnswer, Unknown
from annotation.protocols.coqa.scoring import f1_points_of_turn
from annotation.protocols.coqa.turns import UNKNOWN, Answer, guesses, released_text
from annotation.statistics.token_f1 import tokens
from annotation.values.records import AnnotationRecord, ItemRecord, Step
from annotation.values.scores import NOTHING, Part, Score, Scores, Wording, best_scores, quotation

KNOWN = Part("known", _("Known or unknown"))
ANSWER = Part("answer", _("Answer"))
RATIONALE = Part("rationale", _("Rationale"))

STEPS = {"converse": ("answer", "answerer"), "converse_alone": ("answer", "one"), "guess": ("guess", "one")}
"""The stage and the seat whose answers are graded, by activity."""


def grade(
    activity: str, item: ItemRecord, answer: AnnotationRecord, references: Sequence[AnnotationRecord]
) -> tuple[Score, ...]:
    """The scores of each turn that a reference has; no rationale if none of the turn's references has one."""
    stage, seat = STEPS[activity]
    own, others = _by_turn(activity, answer), [_by_turn(activity, one) for one in references]
    turns = sorted({turn for other in others for turn in other})
    return tuple(
        score
        for turn in turns
        for score in _turn(Step(stage, turn, seat), own.get(turn), [other[turn] for other in others if turn in other])
    )


def _by_turn(activity: str, annotation: AnnotationRecord) -> dict[int, Answer]:
    if activity == "guess":
        return guesses(annotation)
    said = sorted((one for one in annotation.answers if one.stage == "answer"), key=lambda one: one.turn)
    return {turn: one.payload for turn, one in enumerate(said, start=1)}


def _turn(step: Step, own: Answer | None, references: Sequence[Answer]) -> Scores:
    parts = [KNOWN, ANSWER, *([RATIONALE] if any(map(_range_of, references)) else [])]
    return best_scores(_against(step, own, one, parts) for one in references)


def _against(step: Step, own: Answer | None, other: Answer, parts: Sequence[Part]) -> Scores:
    points = dict.fromkeys(parts, Fraction(0))
    if own is not None:
        points = {
            KNOWN: Fraction(int(_is_unknown(own) == _is_unknown(other))),
            ANSWER: f1_points_of_turn(released_text(other), released_text(own)),
            RATIONALE: Fraction(int(_touch(_range_of(own), _range_of(other)))),
        }
    return tuple(Score(step, part, points[part], _wording(part, own), _wording(part, other)) for part in parts)


def _is_unknown(answer: Answer) -> bool:
    return tokens(released_text(answer)) == [UNKNOWN]


def _range_of(answer: Answer) -> tuple[int, int] | None:
    """The code points of the rationale; None without one, or if a published one is empty."""
    start, end = -1, -1
    if isinstance(answer, Answered):
        start, end = answer.rationale.start, answer.rationale.end
    elif isinstance(answer, PublishedAnswer):
        start, end = answer.span_start, answer.span_end
    return (start, end) if 0 <= start < end else None


def _touch(one: tuple[int, int] | None, other: tuple[int, int] | None) -> bool:
    """Whether two rationales have a character in common, or there is none on either side."""
    if one is None or other is None:
        return one is other
    return max(one[0], other[0]) < min(one[1], other[1])


def _wording(part: Part, answer: Answer | None) -> Wording:
    if answer is None:
        return NOTHING
    if part == KNOWN:
        return Wording(_("Unknown") if _is_unknown(answer) else _("Known"))
    if part == ANSWER:
        return Wording(_("Unknown")) if _is_unknown(answer) else quotation(released_text(answer))
    if isinstance(answer, Unknown) or _range_of(answer) is None:
        return Wording(_("No rationale"))
    return quotation(answer.rationale.quote if isinstance(answer, Answered) else answer.span_text)
