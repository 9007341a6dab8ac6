"""A large synthetic file: the sample articles repeated, with four questions about each paragraph."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import orjson

from annotation.protocols.squad.demo import ARTICLES

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
