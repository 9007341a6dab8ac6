"""Sample questions with their documents, two careful people's answers, bots, and a large file of questions."""

from __future__ import annotations

import unicodedata
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import orjson

from annotation.documents.words import words
from annotation.protocols.dureader.overlap import characters
from annotation.protocols.dureader.rules import ComposeSheet, QuestionSheet, ShownDocument
from annotation.protocols.dureader.schemas import KINDS, LONGEST_ANSWER, LONGEST_ENTITY, OPINIONS, TYPES
from annotation.values.sheets import Sheet

SAMPLES = Path(__file__).parent / "samples"
COURSES = SAMPLES / "qualifications.yaml"
QUESTIONS = SAMPLES / "search.dev.json"
"""Questions with their documents in the layout of DuReader 2.0, without answers. Two people answer each."""
EXAM_QUESTIONS = SAMPLES / "search.dev.exam.json"
"""Questions that the course asks on the work screen; their references are in the course."""
KNOWN = SAMPLES / "answers.json"
COPYING, REWRITING = SAMPLES / "predicted.copying.jsonl", SAMPLES / "predicted.rewriting.jsonl"
"""What two systems answer to the samples."""
"""question_id -> writer -> `answers` and `used` as in a payload, and `kind` where the question comes without it."""
FIRST = "first"
"""The writer who has answered every sample question."""

NONE = 0.1
"""Share of made-up work without an answer."""
SEVERAL = (1, 1, 2, 2, 3)
"""How many answers a bot writes; a published question has three at most."""
LONGEST = 20
"""Most words in a made-up answer."""


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A valid payload for a sheet; the same sheet and the same state of `rng` give the same payload."""
    if isinstance(sheet, QuestionSheet):
        return {"question_type": rng.choice(TYPES), "fact_or_opinion": rng.choice(KINDS)}
    if isinstance(sheet, ComposeSheet):
        return _answers(sheet, rng)
    raise TypeError(f"DuReader has no stage with a {type(sheet).__name__}.")


def _answers(sheet: ComposeSheet, rng: Random) -> dict[str, Any]:
    """Answers that differ, each a piece of a document; none if nobody can take words from the documents."""
    wordy = {each.place: texts for each in sheet.documents if (texts := _texts_with_words(each))}
    if not wordy or rng.random() < NONE:
        return {"answers": [], "used": []}
    answers: dict[tuple[str, ...], dict[str, Any]] = {}
    used: set[int] = set()
    for _n in range(rng.choice(SEVERAL)):
        place = rng.choice(list(wordy))
        text = _piece(rng.choice(wordy[place]), LONGEST, LONGEST_ANSWER, rng)
        answers[tuple(characters(text))] = {"text": text} | _details(sheet.question_type, text, rng)
        used.add(place)
    return {"answers": list(answers.values()), "used": sorted(used)}


def _texts_with_words(document: ShownDocument) -> list[str]:
    """The paragraphs of a document that have a word, each in one line."""
    return [text for text in map(_one_line, document.paragraphs) if _short_words(text)]


def _one_line(text: str) -> str:
    """A text as a field of a form gives it back: no line breaks or other control characters."""
    return " ".join("".join(" " if unicodedata.category(char) == "Cc" else char for char in text).split())


def _short_words(text: str) -> list[tuple[int, int]]:
    """Where the words of a text are that are short enough for an entity."""
    return [(start, end) for start, end in words(text) if end - start <= LONGEST_ENTITY]


def _piece(text: str, most_words: int, longest: int, rng: Random) -> str:
    """Neighbouring words of a text that has some, and what is between them; never a part of a word."""
    found = _short_words(text)
    first = rng.randrange(len(found))
    start = found[first][0]
    ends = [end for _start, end in found[first : first + rng.randint(1, most_words)] if end - start <= longest]
    return text[start : ends[-1]]


def _details(question_type: str, text: str, rng: Random) -> dict[str, Any]:
    """What an answer to a question of this type has beside its text."""
    if question_type == "YES_NO":
        return {"opinion": rng.choice(OPINIONS)}
    if question_type == "ENTITY":
        picked = (_piece(text, 2, LONGEST_ENTITY, rng) for _n in range(rng.randint(1, 3)))
        return {"entities": list(dict.fromkeys(picked))}
    return {}


def answer_sample(sheet: Sheet, external_id: str, says: str | None = None) -> dict[str, Any]:
    """What the first writer answers to a sample question, or another one whose name `says` is.

    LookupError if that writer has not answered it.
    """
    known: dict[str, Any] = orjson.loads(KNOWN.read_bytes())[external_id][says or FIRST]
    if isinstance(sheet, QuestionSheet):
        return dict(known["kind"])
    if isinstance(sheet, ComposeSheet):
        return {"answers": known["answers"], "used": known["used"]}
    raise TypeError(f"DuReader has no stage with a {type(sheet).__name__}.")


def write_large(folder: Path, count: int) -> Path:
    """Write a file of `count` questions and return it; the same count, the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = [orjson.loads(line) for line in QUESTIONS.read_bytes().split(b"\n") if line]
    file = folder / "search.train.json"
    with file.open("wb") as lines:
        for number, row in enumerate(islice(cycle(samples), count)):
            first = number // len(samples) % len(row["documents"])
            turned = row["documents"][first:] + row["documents"][:first]
            changed = {
                "question_id": number + 1,
                "question": f"{row['question']} ({number + 1})",
                "documents": [each | {"bs_rank_pos": place} for place, each in enumerate(turned)],
            }
            lines.write(orjson.dumps(row | changed) + b"\n")
    return file
