"""What is compared of two games to measure agreement, what is worth against references, and what players compared.

Agreement is measured by the kind of guess, its words and the verdict. Conversations themselves are made once for each
passage, so there is nothing to compare in them.

Against references there are three scores a turn: whether it is unknown as in the reference, token F1 as in the official
script, and whether the rationale touches the reference's (has a character in common). Of the references of a turn the
one with the most points in all counts. Answers of conversations are numbered as in a release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from annotation.i18n import _
from annotation.protocols.coqa.schemas import Verdict
from annotation.protocols.coqa.scoring import f1_points_of_turn
from annotation.protocols.coqa.talk import UNKNOWN, Answer, Exchange, guesses, rationale_of, released_text
from annotation.statistics.token_f1 import f1_or_none, tokens
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, ItemRecord, Step, latest_payload
from annotation.values.scores import NOTHING, Part, Score, Scores, Wording, best_scores, quotation

ONE_WORD = ("yes", "no", UNKNOWN)
"""Answers that mean the same in every turn."""


def guess(turn: AnnotationRecord) -> str | None:
    """The text guessed in a turn; None if the player has not got there."""
    return next((released_text(answer) for answer in guesses(turn).values()), None)


def normalised(turn: AnnotationRecord) -> str | None:
    """The tokens of the guess, as the official script compares them."""
    text = guess(turn)
    return None if text is None else " ".join(tokens(text))


def kind(turn: AnnotationRecord) -> str | None:
    """Yes, no, unknown, or words of the player's own."""
    text = normalised(turn)
    return text if text is None or text in ONE_WORD else "words"


def verdict(turn: AnnotationRecord) -> str | None:
    """What the player made of the original answer."""
    found = latest_payload(turn.answers, "verdict")
    return None if found is None else found.verdict


MEASURES = (
    Measure("verdict", _("Verdict on the original"), "guess", "nominal", verdict, "verdict", by_turn=True),
    Measure("guess_kind", _("Yes, no, unknown or words"), "guess", "nominal", kind, "guess", by_turn=True),
    Measure("guess", _("The same guess"), "guess", "nominal", normalised, "guess", everywhere=ONE_WORD, by_turn=True),
    Comparison("f1", _("Token F1 of the guesses"), "guess", guess, f1_or_none, stage="guess", by_turn=True),
)


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
    start, end, _quote = rationale_of(answer)
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
    return Wording(_("No rationale")) if _range_of(answer) is None else quotation(rationale_of(answer).quote)


DOUBTS = {"original_wrong": "the original answer wrong", "question_unclear": "the question unclear"}


def given_verdicts(turns: Sequence[Exchange], games: Sequence[AnnotationRecord]) -> Iterator[tuple[int, str, float]]:
    """(turn, verdict, token F1 of the guess and the original) of every comparison in complete games."""
    for game in games:
        guessed = guesses(game)
        for said in game.answers:
            if isinstance(said.payload, Verdict):
                original = turns[said.turn - 1].answer
                yield (
                    said.turn,
                    said.payload.verdict,
                    f1_or_none(released_text(guessed[said.turn]), released_text(original)),
                )


def speaks_against(verdict: str, f1: float) -> bool:
    """Whether the words speak against a verdict: a match without a common word, or none of equal answers."""
    return (verdict, f1) in (("match", 0), ("no_match", 1))


def worth_a_look(turns: Sequence[Exchange], games: Sequence[AnnotationRecord]) -> Iterator[str]:
    """Sentences about the turns in which somebody doubted the original, or gave a verdict that the words oppose."""
    every = list(given_verdicts(turns, games))
    for doubt, what in DOUBTS.items():
        for turn, people in sorted(Counter(turn for turn, verdict, _f1 in every if verdict == doubt).items()):
            yield f"{people} of {len(games)} players found {what} in turn {turn}"
    against = sorted({turn for turn, verdict, f1 in every if speaks_against(verdict, f1)})
    if against:
        named = f"turn{'s' * (len(against) > 1)} {', '.join(map(str, against))}"
        yield f"in {named} a player found a match of answers without a common word, or none of equal ones"
