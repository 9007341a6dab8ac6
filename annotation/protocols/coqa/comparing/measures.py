"""What is compared of two games on a conversation, turn by turn: the kind of guess, its words, the verdict.

Conversations themselves are made once for each passage, so there is nothing to compare in them.
"""

from __future__ import annotations

from annotation.i18n import _
from annotation.protocols.coqa.scoring import token_f1
from annotation.protocols.coqa.turns import UNKNOWN, guesses, released_text
from annotation.statistics.token_f1 import tokens
from annotation.values.measures import Comparison, Measure
from annotation.values.records import AnnotationRecord, latest_payload

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
    Comparison("f1", _("Token F1 of the guesses"), "guess", guess, token_f1, stage="guess", by_turn=True),
)
