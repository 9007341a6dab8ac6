"""What has happened in the demo: who answered which sample question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.i18n import _
from annotation.protocol_tools import DemoRound, scenes_in
from annotation.values.exhibits import ShownExhibit

CONFIG = {
    "activities": {"compose": {"overlap": {"dev": 2}, "lease_minutes": 720}},
    "disputes_in_evaluation": True,
}
"""Two writers for each question, and half a day for each piece of work, so that what is in work at the start is still
in work after lunch.
"""
LEAST_AGREEMENT = {"compose": 0.1}
LENTILS = "do you have to soak lentils before cooking"
BREAD = "why does bread go stale faster in the fridge"
MUSHROOMS = "is it ok to wash mushrooms before cooking"
TEA = "茶叶分为哪几大类"
PLANETS = "which planets have rings"
EGGS = "鸡蛋放冰箱之前要洗吗"
PIANO = "how much does it cost to have a piano tuned"
BALCONY = "新手在阳台上种什么菜容易活"
WAX = "candle wax on tablecloth what to do"

STORY = scenes_in(Path(__file__).parent / "samples" / "story.jsonl")

SCORES = {
    LENTILS: (5, 4),
    BREAD: (4, 5),
    MUSHROOMS: (3, 4),
    TEA: (5, 5),
    PLANETS: (5, 5),
    EGGS: (3, 3),
    PIANO: (4, 3),
    BALCONY: (3, 4),
    WAX: (4, 4),
}
"""What the two judges give the better answers to a question; short ones get less."""
SHORT = 60
ENTITIES = {TEA: 6, PLANETS: 4}
"""How many there are to name."""


def answer_judgement(exhibit: ShownExhibit, rater: int) -> str:
    """From 1 to 5: a short answer to a question in English, or few entities, are a gap."""
    best = SCORES.get(exhibit.prompt, (4, 4))[rater - 1]
    names = next((detail.texts for detail in exhibit.details if not detail.ours), ())
    gaps = (exhibit.lang == "en" and len(exhibit.answers[0]) < SHORT) + (0 < len(names) < 3)
    return str(max(1, best - gaps))


COPYING, REWRITING = "Copying reader", "Rewriting reader"
PREDICTED = {
    MUSHROOMS: (2, 4),
    PLANETS: (2, 5),
    BREAD: (1, 5),
    LENTILS: (4, 5),
    PIANO: (1, 1),
    TEA: (3, 5),
    EGGS: (3, 4),
    BALCONY: (1, 5),
}
"""What is said of the two systems: the one copies a sentence, which is short, and the other writes its own."""
COPIED = 80
"""Characters of the longest copied sentence in English; Chinese ones have a quarter."""


def predicted_judgement(exhibit: ShownExhibit, rater: int) -> str:
    """From 1 to 5."""
    longest = COPIED if exhibit.lang == "en" else COPIED // 4
    copied, rewritten = PREDICTED[exhibit.prompt]
    return str(copied if len(exhibit.answers[0]) < longest else rewritten)


def answer_checks(exhibit: ShownExhibit, rater: int) -> dict[str, Any]:
    """The opinion of an answer that has one, which a short text does not support, and its entities of those there are;
    the second judge leaves open what supports it."""
    found: dict[str, Any] = {}
    for detail in exhibit.details:
        if detail.ours:
            found["opinion"] = exhibit.prompt != MUSHROOMS or rater == 1
        else:
            there = len([name for name in detail.texts if name.strip()])
            found["entities"] = [there, max(there, ENTITIES.get(exhibit.prompt, there))]
    if rater == 1 and "opinion" in found:
        found["support"] = len(exhibit.answers[0]) >= SHORT
    return found


ROUNDS = (
    DemoRound(
        day=1,
        kind="answers",
        title=_("Answers, two judges"),
        raters=("sami", "tove"),
        marks=answer_judgement,
        checks=answer_checks,
        comments={(MUSHROOMS, 1): "The opinion is there, but what supports it is thin."},
        of_an_item="all",
        together=True,
    ),
    DemoRound(
        day=1,
        kind="answers",
        title=_("Two systems, one judge"),
        raters=("sami",),
        marks=predicted_judgement,
        systems=(COPYING, REWRITING),
    ),
)
