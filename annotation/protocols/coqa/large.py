"""A large synthetic file: the sample passages repeated, so that each pair has one that is new to both."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import orjson

from annotation.protocols.coqa.demo import PASSAGES

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
