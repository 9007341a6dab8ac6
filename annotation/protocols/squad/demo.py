"""Sample articles, a careful person's questions and answers about them, bots, and a large file of articles."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import orjson

from annotation.documents.words import words
from annotation.protocols.squad.rules import AnswerSheet, AskSheet
from annotation.values.sheets import PassageSheet, Sheet

SAMPLES = Path(__file__).parent / "samples"
COURSES = SAMPLES / "qualifications.yaml"
ARTICLES = SAMPLES / "dev-v2.0.json"
"""Articles in the layout of SQuAD 2.0, without questions. A development set: several people answer each question."""
KNOWN = SAMPLES / "questions.json"
"""First words of a paragraph -> questions about it: `text`, the `words` that answer it, and in `also` other words that
people might mark; an impossible question has the `plausible` words instead."""

IMPOSSIBLE = 1 / 3
"""Share of made-up questions that are impossible, if the project wants any (as in the training set of 2.0)."""
LONGEST = 5
"""Most words in a made-up span; most published ones are as short."""

_ASKED = (
    "Which words come after {}?",
    "What is said about {}?",
    "What does {} have to do with it?",
    "Which part of the text names {}?",
    "Where is {} mentioned?",
    "What comes right after {}?",
)


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A valid payload for a sheet; the same sheet and the same state of `rng` give the same payload."""
    if isinstance(sheet, AskSheet):
        return _questions(sheet, rng)
    if isinstance(sheet, AnswerSheet):
        found = list(words(sheet.text))
        if not found or rng.random() < IMPOSSIBLE:
            return {"kind": "unanswerable"}
        return {"kind": "span", "span": _span(sheet, rng)}
    raise TypeError(f"SQuAD has no stage with a {type(sheet).__name__}.")


def _questions(sheet: AskSheet, rng: Random) -> dict[str, Any]:
    asked = []
    for pattern in rng.sample(_ASKED, rng.randint(1, 5)):
        span = _span(sheet, rng)
        kind = "impossible" if sheet.impossible and rng.random() < IMPOSSIBLE else "answerable"
        asked.append({"kind": kind, "text": pattern.format(rng.choice(sheet.title.split() or ["it"])), "span": span})
    return {"questions": asked}


def _span(sheet: PassageSheet, rng: Random) -> dict[str, Any]:
    """A few neighbouring words of the paragraph; without any word, all of it except the white space around it.

    In a blank paragraph nothing can be marked: the span is empty, and `check` refuses it.
    """
    found = list(words(sheet.text))
    if not found:
        return sheet.span_of(sheet.text.strip())
    first = rng.randrange(len(found))
    last = min(len(found) - 1, first + rng.randrange(LONGEST))
    return sheet.span_at(found[first].start, found[last].end)


def answer_sample(sheet: Sheet, external_id: str, says: str | None = None) -> dict[str, Any]:
    """The known questions about a sample paragraph, or the known answer to one of them.

    `says`: other words to mark, or "" for no answer.
    """
    if isinstance(sheet, AskSheet):
        return {"questions": [ask_as_known(sheet, one) for one in known_of(sheet.text)]}
    if not isinstance(sheet, AnswerSheet):
        raise TypeError(f"SQuAD has no stage with a {type(sheet).__name__}.")
    known = next(one for one in known_of(sheet.text) if one["text"] == sheet.prompt)
    if says is None:
        says = known.get("words", "")
    return {"kind": "span", "span": sheet.span_of(says)} if says else {"kind": "unanswerable"}


def known_of(text: str) -> list[dict[str, Any]]:
    """The known questions about a paragraph."""
    known: dict[str, list[dict[str, Any]]] = orjson.loads(KNOWN.read_bytes())
    for beginning, questions in known.items():
        if text.startswith(beginning):
            return questions
    return []


def ask_as_known(sheet: PassageSheet, known: dict[str, Any]) -> dict[str, Any]:
    """A known question as its writer submits it; LookupError if its words are not in the paragraph."""
    kind, words = ("impossible", "plausible") if "plausible" in known else ("answerable", "words")
    return {"kind": kind, "text": known["text"], "span": sheet.span_of(known[words])}


ASKED = (
    "What is part {} about?",
    "Who is named in part {}?",
    "When did the events in part {} happen?",
    "Which place does part {} name?",
)
PARAGRAPHS = 20
"""Paragraphs per article."""


def write_large(folder: Path, count: int) -> Path:
    """Write a file of `count` items, four in five of them questions, and return it; the same count, the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = cycle(
        (article["title"], paragraph["context"])
        for article in orjson.loads(ARTICLES.read_bytes())["data"]
        for paragraph in article["paragraphs"]
    )
    data: list[dict[str, Any]] = []
    for number in range(-(-count // 5)):
        title, context = next(samples)
        if number % PARAGRAPHS == 0:
            data.append({"title": f"{title}_{len(data) + 1}", "paragraphs": []})
        asked = ASKED[: min(4, count - 5 * number - 1)]
        questions = [
            {"question": pattern.format(number + 1), "id": f"large-{number + 1:06}-{place}"}
            for place, pattern in enumerate(asked, start=1)
        ]
        data[-1]["paragraphs"].append({"context": context, "qas": questions})
    file = folder / "dev-v2.0.json"
    file.write_bytes(orjson.dumps({"version": "v2.0", "data": data}, option=orjson.OPT_INDENT_2))
    return file
