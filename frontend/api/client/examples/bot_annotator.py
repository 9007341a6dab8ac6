"""Answer with the first words of each text, as a base line for SQuAD: python bot_annotator.py PROJECT [ACTIVITY]."""

from __future__ import annotations

import os
import sys
from typing import Any

from goldfinch_client import Goldfinch


def main(slug: str, activity: str = "answer") -> None:
    """Answer all that there is; `print(work.schemas())` says what else an answer may have."""
    site = Goldfinch(os.environ["GOLDFINCH_SITE"], os.environ["GOLDFINCH_TOKEN"])
    work = site.work(slug, activity)
    print(f"{work.answer_all(first_words)} answered; {(work.why_none or {}).get('message', '')}")


def first_words(step: dict[str, Any]) -> dict[str, Any]:
    """The first three words of the text as the answer."""
    text = step["sheet"]["text"]
    end = len(" ".join(text.split(" ")[:3]))
    return {"kind": "span", "span": {"passage": 0, "start": 0, "end": end, "quote": text[:end]}}


if __name__ == "__main__":
    main(*sys.argv[1:3])
