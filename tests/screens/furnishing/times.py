"""A week of working time, for its pictures; runs inside the site."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from annotation import randomness
from annotation.models import Project, Role
from annotation.worktime import totals
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, spend
from tests.screens.camera import SIZES

NOTE = "The page about the second lamp took long to load; I had it open on paper beside me."


def a_week(person: Any, project: Project, *, now: datetime) -> None:
    """A week of work by the pictured person of each size and by two others, with an amendment by each.

    One more person has some very fast answers.
    """
    since = now - timedelta(days=9)
    for number, name in enumerate([*(f"tim-{size}" for size in SIZES), "ivo", "ola"]):
        user = person(project, name)
        user.memberships.filter(project=project).update(since=since)
        worker = Worker(user, project)
        for back in range(8, -1, -2 - number % 2):
            begun = (now - timedelta(days=back)).replace(hour=10) if back else now - timedelta(minutes=40)
            for piece in range(3):
                begun = _piece(worker, begun, quiet=70 + 25 * piece, whole=piece % 2 == number % 2)
        day = (now - timedelta(days=8)).date()
        key = randomness.handle()
        totals.amend(project, by=user, day=day, minutes=25 - 9 * number, note=NOTE, key=key, now=now)
    hasty, begun = Worker(person(project, "una"), project), now - timedelta(hours=5)
    for quiet in [40] * 11 + [4] + [55] * 9 + [7]:
        begun = _piece(hasty, begun, quiet=quiet, whole=quiet == 55)
    person(project, "lotte", Role.LEAD)


def _piece(worker: Worker, begun: datetime, *, quiet: int, whole: bool) -> datetime:
    """One question, with the page or without; when it was done."""
    held = worker.claim(now=begun)
    at = begun + timedelta(seconds=quiet)
    spend(held, now=at, ms=quiet * 1000, active=9_000)
    worker.commit(held, "question", GOOD if whole else BAD, now=at)
    if whole:
        at += timedelta(seconds=4 * quiet)
        spend(held, now=at, ms=4000 * quiet, active=2300 * quiet, stage="long_answer", n=2)
        worker.commit(held, "long_answer", NO_ANSWER, now=at)
    return at
