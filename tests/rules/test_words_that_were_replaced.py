"""Phrases that people stumbled over, and that were replaced, do not come back on a screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
SOURCES = [
    path
    for package in ("annotation", "frontend", "tasks")
    for ending in ("html", "js", "py")
    for path in sorted((CHECKOUT / package).rglob(f"*.{ending}"))
    if not {"samples", "vendor", "migrations"} & set(path.parts)
]
REPLACED = {
    "in this project no more": "You are no longer an annotator in this project.",
    "still to be had": "Its place was still free",
    "send it anew": "until you send a new one",
    "asked all that is left": "You had all of these in the last 12 hours",
    "gives the first back": "we release the first",
    "very like a question": "Very similar to a question of yours above",
    "its answer is another one": "if it has a different answer",
    "are never the same, and you do": "you either ask or answer, never both",
    "words stand there": "Found {n} times",
    "stands in one row": "Your words are all in one row",
    "choose it as the box": "Use the row",
    "do not go together": "Wrong user name or password",
    "stand outside your evidence": "These words are outside your evidence",
    "become evidence": "Should their sentence be evidence too?",
    "went wrong here, not with you": "Something went wrong on our side",
    "nobody is given it any more": "No one will get it",
    "take it out for good": "Withdraw…",
    '"leave out': "Exclude",
    "take in again": "Include again",
    "someone was faster": "Someone else was first",
    "the box is coming": "Loading the box…",
    "is put right by": "to fix a mistake, add another amendment",
    "active with input": "Active: you type, click or scroll",
    "i must stop": "Stop for now",
    "stay here": "Cancel",
    "only look": "View only",
    "costs you nothing": "doesn’t count against you",
    "evidence: take it out": "Remove from evidence",
    "evidence: remove it": "Remove from evidence",
    "put it away": "Dismiss",
    "give back…": "Send back…",
    "give it back to you": "send it back to you",
}
"""Each with what stands in its place."""


def said_in(source: str) -> str:
    """A source in one line of lower case, with strings that are written in two joined."""
    joined = re.sub(r'"\s*\n\s*"', "", source.replace("...", "…"))
    return re.sub(r"\s+", " ", joined).lower()


def replaced_in(name: str, source: str) -> list[str]:
    said = said_in(source)
    return [f"{name}: {phrase!r}; say {better!r}" for phrase, better in REPLACED.items() if phrase in said]


def test_no_screen_says_what_was_replaced():
    texts = {path.relative_to(CHECKOUT).as_posix(): path.read_text(encoding="utf-8") for path in SOURCES}
    wanted = ("frontend/templates/work/_skip.html", "frontend/static/goldfinch/work.js", "tasks/jobs.py")
    assert texts.keys() >= set(wanted)
    assert [found for name, text in texts.items() for found in replaced_in(name, text)] == []


@pytest.mark.parametrize(
    ("source", "phrases"),
    [
        ('{% translate "It costs\n  you nothing." %}', 1),
        ("say('Put it away'); say('Give back...');", 2),
        ('said = _(\n    "Skipping costs you "\n    "nothing."\n)', 1),
        ("Give it to somebody else.", 0),
    ],
)
def test_the_control_a_phrase_that_was_replaced_is_found(source, phrases):
    assert len(replaced_in("a", source)) == phrases
