"""The first items that were read from an export, as a page shows them."""

from __future__ import annotations

from typing import Any

from annotation.exchange.options import ExportOptions
from annotation.exchange.places import quoted
from annotation.values.exchange import ExchangedAnswer

LONGEST = 300
"""Characters of a text that are shown."""
MOST = 10
"""Answers of an item that are shown."""


def previewed(options: ExportOptions) -> list[dict[str, Any]]:
    """Each item with its line, its title, the beginning of its text, and its answers as they were understood."""
    return [
        {
            "line": one.line,
            "title": _short(one.title),
            "text": _short(one.text),
            "prompt": _short(one.prompt),
            "answers": [_shown_answer(answer, one.text) for answer in one.answers[:MOST]],
            "more": max(0, len(one.answers) - MOST),
        }
        for one in options.preview
    ]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _shown_answer(answer: ExchangedAnswer, text: str) -> dict[str, str]:
    """The kind of an answer, and its words."""
    marked = " … ".join(quoted(text[start:end]) for start, end in answer.spans)
    return {"kind": answer.kind, "words": marked or (quoted(answer.words) if answer.words else "")}
