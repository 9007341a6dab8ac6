"""The turns of a conversation and of a game, as they are numbered in releases: 1 to n, without gaps."""

from __future__ import annotations

from typing import NamedTuple

from annotation.protocols.coqa.schemas import Answered, Asked, PublishedAnswer, PublishedQuestion, Unknown
from annotation.values.records import AnnotationRecord

UNKNOWN = "unknown"
"""The released text of an unknown answer, and of its rationale."""

Answer = Answered | Unknown | PublishedAnswer


class Exchange(NamedTuple):
    """A question and its answer, ours or published; `turn` is that of their responses, which may have gaps."""

    turn: int
    question: Asked | PublishedQuestion
    answer: Answer


def exchanges(conversation: AnnotationRecord) -> list[Exchange]:
    """The answered questions of a conversation, in order: the n-th is turn n of a release.

    Left out: a last question that nobody answered, and turns in which the questioner only proposed to end.
    """
    questions = {one.turn: one.payload for one in conversation.answers if one.stage == "question"}
    answers = {one.turn: one.payload for one in conversation.answers if one.stage == "answer"}
    return [
        Exchange(turn, question, answers[turn])
        for turn, question in sorted(questions.items())
        if isinstance(question, Asked | PublishedQuestion) and turn in answers
    ]


def guesses(game: AnnotationRecord) -> dict[int, Answer]:
    """Turn -> what the player guessed, without the verdicts."""
    return {one.turn: one.payload for one in game.answers if one.stage == "guess"}


def released_text(answer: Answer) -> str:
    """The text of an answer as released."""
    match answer:
        case PublishedAnswer():
            return answer.input_text
        case Answered():
            return answer.text
    return UNKNOWN
