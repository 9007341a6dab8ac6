"""A conversation or a game as its responses tell it: its turns as releases number them, and what comes next."""

from __future__ import annotations

import re
from typing import NamedTuple

from annotation.protocols.coqa.schemas import (
    FEWEST_TURNS,
    FEWEST_WHEN_EXHAUSTED,
    MOST_TURNS,
    Answered,
    Asked,
    PublishedAnswer,
    PublishedQuestion,
    Unknown,
)
from annotation.talks import Ended, Talk
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


class Rationale(NamedTuple):
    """The words of the passage that support an answer: their code points and what they are."""

    start: int = -1
    end: int = -1
    quote: str = UNKNOWN

    @property
    def words(self) -> str:
        """What they are, "" if there are none."""
        return self.quote if self.start >= 0 else ""


def rationale_of(answer: Answer) -> Rationale:
    """The rationale of an answer, ours or published; without one as published files have it."""
    match answer:
        case PublishedAnswer():
            return Rationale(answer.span_start, answer.span_end, answer.span_text)
        case Answered():
            return Rationale(answer.rationale.start, answer.rationale.end, answer.rationale.quote)
    return Rationale()


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


_YES_OR_NO = re.compile(r"(yes|no)(\W*|\s*[,.;:!–—].*)", re.IGNORECASE | re.DOTALL)


def said_text(payload: Asked | PublishedQuestion | Answer) -> str:
    """The text of a question or an answer as released."""
    return asked_text(payload) if isinstance(payload, Asked | PublishedQuestion) else released_text(payload)


def asked_text(question: Asked | PublishedQuestion) -> str:
    """The text of a question as released."""
    return question.input_text if isinstance(question, PublishedQuestion) else question.text


def kind_of(answer: str) -> str:
    """The kind of an answer with a rationale: yes or no ("Yes", "No, never"), else `answered` ("No animals")."""
    found = _YES_OR_NO.fullmatch(answer.strip())
    return found[1].lower() if found else "answered"


def may_end(answered: int) -> str:
    """Why the questioner may end after so many answered turns: "", `exhausted`, or `done` (for either reason)."""
    if answered >= FEWEST_TURNS:
        return "done"
    return "exhausted" if answered >= FEWEST_WHEN_EXHAUSTED else ""


def ran_out(annotation: AnnotationRecord) -> bool:
    """Whether it ended before the tenth turn, since the passage has nothing left: a lead decides whether it counts."""
    ended = any(isinstance(one.payload, Ended) and one.payload.why == "exhausted" for one in annotation.answers)
    return ended and len(exchanges(annotation)) < FEWEST_TURNS


TALK = Talk(
    opening="question",
    reply="answer",
    closing="closing",
    opener="questioner",
    replier="answerer",
    most=MOST_TURNS,
    text=said_text,
    proposes=lambda answer: bool(answer.may_end),
)
