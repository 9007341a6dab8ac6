"""Bots that converse and play: they make up payloads."""

from __future__ import annotations

from random import Random
from typing import Any

from annotation.documents.words import words
from annotation.protocols.coqa.sheets import AskSheet, ClosingSheet, GuessSheet, PassageSheet, ReplySheet, VerdictSheet
from annotation.protocols.coqa.talk import kind_of
from annotation.sheets import Sheet

UNKNOWN, SHORT_ANSWER, ENDS, EXHAUSTED, AGREES, MATCHES = 0.05, 0.2, 0.6, 0.02, 0.6, 0.7
"""Shares of made-up answers that are unknown or yes and no; how probably a bot ends, agrees to that, finds a match."""
LONGEST = 6
"""Most words in a made-up rationale."""

_ASKED = (
    "What happened to {}?",
    "And {}?",
    "Why?",
    "Who was there?",
    "Was {} part of it?",
    "When was that?",
    "What else is said of {}?",
    "Anyone else?",
)
_VERDICTS = ("no_match", "original_wrong", "question_unclear")


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A valid payload for a sheet; the same sheet and the same state of `rng` give the same payload."""
    match sheet:
        case AskSheet():
            return _question(sheet, rng)
        case ReplySheet():
            return _answer(sheet, rng) | {"may_end": sheet.may_propose and rng.random() < ENDS / 2}
        case ClosingSheet():
            return {"agreed": rng.random() < AGREES}
        case VerdictSheet():
            match = sheet.guess == sheet.original or rng.random() < MATCHES
            return {"verdict": "match" if match else rng.choice(_VERDICTS), "mistyped": ""}
        case GuessSheet():
            return _answer(sheet, rng)
    raise TypeError(f"CoQA has no stage with a {type(sheet).__name__}.")


def _question(sheet: AskSheet, rng: Random) -> dict[str, Any]:
    if sheet.ends == "done" and (sheet.proposed or rng.random() < ENDS):
        return {"kind": "ended", "why": "done", "reason": ""}
    if sheet.ends == "exhausted" and rng.random() < EXHAUSTED:
        return {"kind": "ended", "why": "exhausted", "reason": "The passage tells no more than this."}
    found = list(words(sheet.text))
    about = sheet.text[slice(*rng.choice(found))] if found else "it"
    return {"kind": "asked", "text": rng.choice(_ASKED).format(about)}


def _answer(sheet: PassageSheet, rng: Random) -> dict[str, Any]:
    """A few neighbouring words of the passage, quoted as they are, shortened, or as the reason of a yes or no."""
    found = list(words(sheet.text))
    if not found or rng.random() < UNKNOWN:
        return {"kind": "unknown", "may_end": False}
    first = rng.randrange(len(found))
    last = min(len(found) - 1, first + rng.randrange(LONGEST))
    span = marked(sheet, found[first].start, found[last].end)
    text = rng.choice(("yes", "no")) if rng.random() < SHORT_ANSWER else " ".join(span["quote"].split())
    return {"kind": kind_of(text), "text": text, "rationale": span, "may_end": False}


def marked(sheet: PassageSheet, start: int, end: int) -> dict[str, Any]:
    """The span of these code points."""
    return {"passage": 0, "start": start, "end": end, "quote": sheet.text[start:end]}
