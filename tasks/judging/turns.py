"""Rounds in which raters take turns: whose turn it is at each exhibit, and who took over whose part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from annotation import events, randomness
from annotation.models import Event, JudgingRound, User
from tasks.models import Assignment

REPLACED = "judging.rater_replaced"
"""The event of a replacement: `rater` is the number of who dropped out, `new` that of who judges instead, or None."""


def turns_at(row: JudgingRound, at: int, numbers: Sequence[int], judged_by: int) -> Sequence[int]:
    """Whose turn it is at a place of the order: everybody equally often, with others each time.

    The raters are put in a seeded order for as many exhibits as give each of them the same number.
    """
    n = len(numbers)
    together = n // gcd(n, judged_by)
    order = sorted(numbers, key=lambda number: randomness.number(row.seed, "turn", at // together, number))
    start = at * judged_by % n
    return [*order[start:], *order[:start]]


def replacements(row: JudgingRound) -> Mapping[int, int]:
    """By the number of each rater who replaced another, the number of that one."""
    told = Event.objects.filter(subject=events.name(row), kind=REPLACED).values_list("data", flat=True)
    return {data["new"]: data["rater"] for data in told if data["new"] is not None}


def exhibits_given(row: JudgingRound, person: User) -> set[int]:
    """The keys of the exhibits that somebody has been given since they began, whatever became of them."""
    rows = Assignment.objects.filter(annotator=person, task__exhibit__round=row)
    return set(rows.values_list("task__exhibit", flat=True))
