"""Sample passages, what people say about them in the demo, bots that converse and play, and a large file."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import orjson

from annotation.documents.words import words
from annotation.protocols.coqa.sheets import AskSheet, ClosingSheet, GuessSheet, PassageSheet, ReplySheet, VerdictSheet
from annotation.protocols.coqa.talk import kind_of
from annotation.values.sheets import Sheet

SAMPLES = Path(__file__).parent / "samples"
COURSES = SAMPLES / "qualifications.yaml"
PASSAGES = SAMPLES / "passages.jsonl"
"""Passages of our own, of all seven domains."""
KNOWN = SAMPLES / "conversations.json"
"""Id of a passage -> what was said about it (see `Known`)."""

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


class Known(NamedTuple):
    """What people say about a passage in the demo.

    `turns`: question, words of the rationale (None: unknown) and answer of each turn. `exhausted`: why the questioner
    ends before the tenth turn, or "". `guesses`: of each player, turn -> rationale, text and, if it differs in more
    than the wording, the verdict; other turns they answer as in the original.
    """

    turns: list[list[Any]]
    exhausted: str = ""
    guesses: tuple[dict[str, list[Any]], ...] = ()


def known_of(text: str) -> Known:
    """What is said about the passage with this text; LookupError if nothing is."""
    names = [one["id"] for one in map(orjson.loads, PASSAGES.read_bytes().splitlines()) if one["story"] == text]
    found = [Known(**one) for name, one in orjson.loads(KNOWN.read_bytes()).items() if name in names]
    if not found:
        raise LookupError(f"Nothing is known to be said about {text[:40]!r}.")
    return found[0]


def answer_sample(sheet: Sheet, external_id: str, says: int | None = None) -> dict[str, Any]:
    """What is said next about a sample passage; after the last known turn, the end. `says`: which player guesses."""
    if isinstance(sheet, ClosingSheet):
        return {"agreed": True}
    if not isinstance(sheet, AskSheet | ReplySheet | GuessSheet):
        raise TypeError(f"CoQA has no stage with a {type(sheet).__name__}.")
    known = known_of(sheet.text)
    if sheet.number > len(known.turns):
        why = "exhausted" if known.exhausted else "done"
        return {"kind": "ended", "why": why, "reason": known.exhausted}
    question, *original = known.turns[sheet.number - 1]
    guesses = known.guesses[says] if says is not None else {}
    words, text, *verdict = guesses.get(str(sheet.number), original)
    if isinstance(sheet, AskSheet):
        return {"kind": "asked", "text": question}
    if isinstance(sheet, VerdictSheet):
        return {"verdict": verdict[0] if verdict else "match", "mistyped": ""}
    if words is None:
        return {"kind": "unknown", "may_end": False}
    return {"kind": kind_of(text), "text": text, "rationale": sheet.span_of(words), "may_end": False}


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
    span = sheet.span_at(found[first].start, found[last].end)
    text = rng.choice(("yes", "no")) if rng.random() < SHORT_ANSWER else " ".join(span["quote"].split())
    return {"kind": kind_of(text), "text": text, "rationale": span, "may_end": False}


GUESSED = 10
"""One passage in so many is of the development set, whose conversations are guessed."""


def write_large(folder: Path, count: int) -> Path:
    """Write a file of `count` passages and return its path; the same count, the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "passages.jsonl"
    samples = cycle(map(orjson.loads, PASSAGES.read_bytes().splitlines()))
    with file.open("wb") as lines:
        for number, sample in zip(range(1, count + 1), samples, strict=False):
            named = f"{sample['id']}-{number:05}"
            split = "dev" if number % GUESSED == 1 else "train"
            lines.write(orjson.dumps(sample | {"id": named, "filename": f"{named}.txt", "split": split}) + b"\n")
    return file
