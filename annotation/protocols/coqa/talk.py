"""A conversation as its responses tell it: the turns that were answered, and what has to be said next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from annotation.protocols.coqa.schemas import (
    FEWEST_TURNS,
    FEWEST_WHEN_EXHAUSTED,
    MOST_TURNS,
    Asked,
    Ended,
    PublishedQuestion,
)
from annotation.protocols.coqa.turns import exchanges, released_text
from annotation.values.records import AnnotationRecord, GivenAnswer, Step

_YES_OR_NO = re.compile(r"(yes|no)(\W*|\s*[,.;:!–—].*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class ShownTurn:
    """The texts of a question and its answer; `number` counts answered turns from 1, as releases do.

    `turn`: that of their responses, which also counts turns in which somebody only wanted to end.
    """

    number: int
    turn: int
    question: str
    answer: str


def answered_turns(answers: Iterable[GivenAnswer]) -> tuple[ShownTurn, ...]:
    """The answered turns of a conversation in order, ours or published."""
    found = exchanges(AnnotationRecord("converse", tuple(answers)))
    return tuple(
        ShownTurn(number, one.turn, asked_text(one.question), released_text(one.answer))
        for number, one in enumerate(found, start=1)
    )


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


def following(answers: Iterable[GivenAnswer], *, alone: bool) -> Step | None:
    """What has to be said next and by which seat, or None once the conversation is complete.

    `alone`: one person plays both parts, and nobody else has to agree to the end.
    """
    given = {(entry.stage, entry.turn): entry.payload for entry in answers}
    answered, proposed = 0, False
    for turn in count(1):
        question = given.get(("question", turn))
        if question is None:
            return Step("question", turn, "one" if alone else "questioner")
        if isinstance(question, Ended):
            if alone or proposed or question.why == "exhausted":
                return None
            closing = given.get(("closing", turn))
            if closing is None:
                return Step("closing", turn, "answerer")
            if closing.agreed:
                return None
            continue
        answer = given.get(("answer", turn))
        if answer is None:
            return Step("answer", turn, "one" if alone else "answerer")
        answered += 1
        proposed = answer.may_end
        if answered == MOST_TURNS:
            return None
    raise AssertionError("a conversation has a next step or an end")
