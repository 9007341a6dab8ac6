"""The first items that were read from an export, as a page shows them."""

from __future__ import annotations

from typing import Any

from annotation.exchange.options import ExportOptions
from annotation.exchange.places import quoted
from annotation.i18n import _
from annotation.values.exchange import AnswerKind, ExchangedAnswer

LONGEST = 300
"""Characters of a text that are shown."""
KINDS: dict[AnswerKind, Any] = {"yes": _("Yes"), "no": _("No"), "none": _("No answer")}


def previewed(options: ExportOptions) -> list[dict[str, Any]]:
    """Each item with its line, its title, the beginning of its text, and its answers as they were understood."""
    return [
        {
            "line": one.line,
            "title": _short(one.title),
            "text": _short(one.text),
            "prompt": _short(one.prompt),
            "answers": [_in_words(answer, one.text) for answer in one.answers[:10]],
            "more": max(0, len(one.answers) - 10),
        }
        for one in options.preview
    ]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _in_words(answer: ExchangedAnswer, text: str) -> str:
    if answer.kind == "spans":
        return " … ".join(quoted(text[start:end]) for start, end in answer.spans)
    return str(KINDS[answer.kind]) if answer.kind in KINDS else quoted(answer.words)
