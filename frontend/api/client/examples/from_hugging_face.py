"""Bring a dataset of Hugging Face into a SQuAD project: python from_hugging_face.py NAME SPLIT PROJECT."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from datasets import load_dataset
from goldfinch_client import Goldfinch


def main(name: str, split: str, slug: str) -> None:
    """Write each row as a line of the layout that the project imports, and import the file."""
    site = Goldfinch(os.environ["GOLDFINCH_URL"], os.environ["GOLDFINCH_TOKEN"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{split}.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            for row in load_dataset(name, split=split):
                line = {key: row[key] for key in ("id", "title", "context", "question")}
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        done = site.project(slug).import_file(file, split=split)
    print(f"{done['items']} items, {done['refused']} lines refused")


if __name__ == "__main__":
    main(*sys.argv[1:4])
