"""Bring a dataset of Hugging Face into a SQuAD project: python from_hugging_face.py NAME SPLIT PROJECT."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from datasets import load_dataset
from goldfinch_client import Goldfinch


def main(name: str, split: str, slug: str) -> None:
    """Write the columns that such a project imports as a table, and import that."""
    site = Goldfinch(os.environ["GOLDFINCH_SITE"], os.environ["GOLDFINCH_TOKEN"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{split}.csv"
        rows = load_dataset(name, split=split)
        rows.select_columns(["id", "title", "context", "question"]).to_csv(file)
        done = site.project(slug).import_file(file, split=split)
    print(f"{done['items']} items, {done['refused']} lines refused")


if __name__ == "__main__":
    main(*sys.argv[1:4])
