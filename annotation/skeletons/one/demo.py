"""What people answer in the demo, and bots that make something up."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import orjson

from annotation.documents.words import words
from annotation.protocol_tools import Scene
from annotation.values.sheets import PassageSheet, Sheet

ITEMS = Path(__file__).parent / "samples" / "items.jsonl"
MILL, BAKERY, CHOIR = "When was the mill built?", "Who comes first?", "Who founded the choir?"
BRIDGE, SCHOOL, TREE = "How many people paint it?", "How many villages has it?", "Who writes to it?"
LEAST_AGREEMENT = {"mark": 0.5}
STORY = (
    Scene(6, "dana", "mark", MILL, seconds=40),
    Scene(6, "emil", "mark", MILL, seconds=55),
    Scene(5, "dana", "mark", CHOIR, seconds=50),
    Scene(5, "emil", "mark", CHOIR, seconds=45),
    Scene(4, "dana", "mark", BAKERY, seconds=30),
    Scene(4, "emil", "mark", BAKERY, says="nothing", seconds=20),
    Scene(3, "dana", "mark", BRIDGE, seconds=35),
    Scene(3, "emil", "mark", BRIDGE, seconds=30),
    Scene(2, "lena", ends="released"),
    Scene(1, "dana", "mark", SCHOOL, seconds=25),
    Scene(0, "dana", "mark", TREE, ends="reported", reason="other", note="Who is meant?", seconds=40),
    Scene(0, "emil", "mark", SCHOOL, ends="begun", seconds=20),
)
"""A text in each state that a lead may meet: done, in dispute, in work, reported."""


def answer(sheet: Sheet, external_id: str, says: Any) -> dict[str, Any]:
    """The answer that the file of samples has for an item."""
    if not isinstance(sheet, PassageSheet):
        raise TypeError(f"There is no stage with a {type(sheet).__name__}.")
    lines = map(orjson.loads, ITEMS.read_bytes().splitlines())
    [quote] = [line["answer"] for line in lines if line["id"] == external_id]
    if not quote or says == "nothing":
        return {"kind": "not_said"}
    return {"kind": "marked", "span": sheet.span_of(quote)}


def pretend(sheet: Sheet, rng: Random) -> dict[str, Any]:
    """A possible answer to any sheet."""
    if not isinstance(sheet, PassageSheet):
        raise TypeError(f"There is no stage with a {type(sheet).__name__}.")
    found = list(words(sheet.text))
    if not found or rng.random() < 0.2:
        return {"kind": "not_said"}
    return {"kind": "marked", "span": sheet.span_at(*rng.choice(found))}


def write_large(folder: Path, count: int) -> Path:
    """A file of so many items, always the same ones."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "large.jsonl"
    with path.open("wb") as file:
        for number in range(count):
            text = f"Light number {number // 5} was lit long ago. Its keeper counts the ships that pass."
            line = {"id": f"large-{number}", "prompt": f"What of light {number}?", "text": text, "source": "made up"}
            file.write(orjson.dumps(line) + b"\n")
    return path
