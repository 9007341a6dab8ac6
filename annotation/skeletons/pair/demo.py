"""What people say in the demo, and bots that make something up."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import orjson

from annotation.documents.words import words
from annotation.protocol_tools import Scene
from annotation.skeletons.pair.rules import AgainSheet, AskSheet, ClosingSheet, TellSheet
from annotation.values.sheets import Sheet

SAMPLES = Path(__file__).parent / "samples"
TOPICS = SAMPLES / "topics.jsonl"
MILL, BAKERY, CHOIR = "When was the mill built?", "When does it open?", "Who conducts the choir?"
BRIDGE = "How often is it painted?"
CONFIG = {"activities": {"talk": {"draw": "in_order"}}}
"""The lobby draws the topics in the order of their file, so that scenes can name them."""
LEAST_AGREEMENT = {"again": 0.5}


def talk(day: int, who: str, partner: str, topic: str) -> Scene:
    """Two people talked about a topic for four turns, and agreed to end."""
    return Scene(day, who, "talk", topic, partners=(partner,), answers=10, seconds=300)


def again(day: int, who: str, first: str, says: str = "") -> Scene:
    """Somebody answered a talk again; `first`: what was asked first in it."""
    return Scene(day, who, "again", first, answers=4, says=says, seconds=150)


STORY = (
    talk(6, "dana", "emil", "A mill on the river"),
    again(6, "farah", MILL),
    again(5, "goran", MILL),
    talk(5, "dana", "emil", "A bakery that opens at night"),
    again(4, "farah", BAKERY),
    again(4, "goran", BAKERY, says="nothing"),
    talk(3, "farah", "goran", "A choir without a conductor"),
    again(3, "dana", CHOIR),
    Scene(2, "lena", ends="released"),
    talk(1, "dana", "goran", "A bridge that is painted all year"),
    Scene(0, "emil", "again", BRIDGE, ends="reported", reason="other", note="Which bridge is it?", seconds=40),
    Scene(0, "emil", "again", CHOIR, ends="begun", sends=1, answers=1, seconds=30),
)
"""A talk in each state that a lead may meet: done, in dispute, in work, reported; two topics are left."""


def answer(sheet: Sheet, external_id: str, says: Any) -> dict[str, Any]:
    """What is said next about a sample topic, whose file has what is asked, what is told, and the words that say so."""
    if isinstance(sheet, ClosingSheet):
        return {"agreed": True}
    if not isinstance(sheet, AskSheet | TellSheet | AgainSheet):
        raise TypeError(f"There is no stage with a {type(sheet).__name__}.")
    topics = [orjson.loads(line) for line in TOPICS.read_bytes().splitlines()]
    if isinstance(sheet, AskSheet):
        [said] = [one["said"] for one in topics if one["topic"] == sheet.prompt]
        if sheet.number > len(said):
            return {"kind": "ended", "why": "done", "reason": ""}
        return {"kind": "asked", "text": said[sheet.number - 1][0]}
    [said] = [one["said"] for one in topics if one["text"] == sheet.text]
    if says == "nothing":
        return {"kind": "not_said"}
    _asked, told, quote = said[sheet.number - 1]
    return {"kind": "told", "text": told, "span": sheet.span_of(quote)}


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A possible answer to any sheet."""
    match sheet:
        case AskSheet():
            if sheet.may_end and rng.random() < 0.5:
                return {"kind": "ended", "why": "done", "reason": ""}
            return {"kind": "asked", "text": f"What about number {rng.randrange(1000)}?"}
        case ClosingSheet():
            return {"agreed": rng.random() < 0.5}
        case TellSheet() | AgainSheet():
            found = list(words(sheet.text))
            if not found or rng.random() < 0.2:
                return {"kind": "not_said"}
            place = rng.choice(found)
            return {"kind": "told", "text": f"It says so {rng.randrange(1000)} times.", "span": sheet.span_at(*place)}
    raise TypeError(f"There is no stage with a {type(sheet).__name__}.")


def write_large(folder: Path, count: int) -> Path:
    """A file of so many items, always the same ones."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "large.jsonl"
    with path.open("wb") as file:
        for number in range(count):
            text = f"Light number {number // 5} was lit long ago. Its keeper counts the ships that pass."
            line = {"id": f"large-{number}", "topic": f"What of light {number}?", "text": text}
            file.write(orjson.dumps(line) + b"\n")
    return path
