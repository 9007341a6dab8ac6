"""A conversation as its responses tell it: the turns that were answered, and what has to be said next."""

from __future__ import annotations

import re

from annotation.protocols.coqa.schemas import (
    FEWEST_TURNS,
    FEWEST_WHEN_EXHAUSTED,
    MOST_TURNS,
    Asked,
    PublishedQuestion,
)
from annotation.protocols.coqa.turns import Answer, exchanges, released_text
from annotation.talks import Ended, Talk
from annotation.values.records import AnnotationRecord

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
