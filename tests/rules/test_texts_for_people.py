"""Guidelines and the consent text tell nobody what others answered or how fast: people would aim at it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
TEXTS = sorted((CHECKOUT / "annotation").rglob("texts/*.md"))
SHARE = re.compile(
    r"\d\s?(?:%|per ?cent) of\b|\b(?:half|a third|a quarter|most|one in \w+) of (?:all |the |your )*"
    r"(?:answers|pages|papers|paragraphs|questions)\b",
    re.IGNORECASE,
)
PACE = re.compile(r"\b(?:takes?|needs?|in|about) (?:[\w-]+ ){1,4}(?:minutes|seconds)\b|\bminutes? (?:each|per)\b")
"""A time that somebody else needed; "if you have thought about it for two minutes" is a rule about one's own."""
OWN = re.compile(r"if you have thought about it for \w+ minutes", re.IGNORECASE)


def figures(text: str) -> list[str]:
    """Shares and durations in a text."""
    text = OWN.sub("", text)
    return [found[0] for pattern in (SHARE, PACE) for found in pattern.finditer(text)]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parts[-3]}/{path.name}")
def test_no_text_for_annotators_tells_a_share_or_a_pace(path):
    assert figures(path.read_text(encoding="utf-8")) == []


def test_all_guidelines_are_read():
    assert {path.parts[-3] for path in TEXTS} >= {"annotation", "nq", "qasper", "squad"}


@pytest.mark.parametrize(
    "text",
    [
        "About half of all questions end without an answer.",
        "49 % of the pages answer.",
        "Most of the questions are good.",
        "A question takes one to two minutes.",
        "Most people need about a minute and a half, or two minutes each.",
    ],
)
def test_the_control_a_share_or_a_pace_is_found(text):
    assert figures(text)
