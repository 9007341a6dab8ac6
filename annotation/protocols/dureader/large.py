"""A large synthetic file: the sample questions repeated, each time with a number and another order of documents."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path

import orjson

from annotation.protocols.dureader.demo import QUESTIONS


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
