"""Generates a large import file from the sample papers, with four questions per paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from annotation.protocols.qasper.demo import PAPERS

ASKED = (
    "Which baselines do they compare with in part {}?",
    "How large is the data of part {}?",
    "Who annotated the data of part {}?",
    "Do they release the code of part {}?",
)


def write_large(folder: Path, count: int) -> Path:
    """Write a file of `count` items, four in five of them questions, and return its path. Deterministic."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = list(orjson.loads(PAPERS.read_bytes()).values())
    papers: dict[str, Any] = {}
    for number in range(-(-count // 5)):
        asked = ASKED[: min(4, count - 5 * number - 1)]
        sample = samples[number % len(samples)]
        papers[f"large.{number + 1:05}"] = sample | {
            "title": f"{sample['title']} (part {number + 1})",
            "figures_and_tables": [],
            "qas": [{"question": pattern.format(number + 1)} for pattern in asked],
        }
    file = folder / "papers.json"
    file.write_bytes(orjson.dumps(papers, option=orjson.OPT_INDENT_2))
    return file
