"""A project with 5 and 25 annotations of its items, for the picture of the human upper bound; runs inside the site."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from random import Random
from typing import Any

from annotation.engine import exclusion
from annotation.models import Annotation, Project, Role, User
from tasks.engine.no_work import NoWork
from tasks.measuring import human_bound
from tests.builders import BAD, GOOD, NO_ANSWER, Worker

OVERLAP = {"annotate": {"overlap": {"dev": 5, "test": 25}}}
QUOTES = {3: "Anna Berg came from Bergen.", 4: "Olaf Lund came from Oslo."}
NAMES = ("ada", "ben", "eva", "fay", "gus", "hal", "ida", "jon", "kai", "lia", "max", "nia", "oto")


def all_answered(person: Callable[..., User], project: Project, *, now: datetime) -> None:
    """25 people answer what they get, and most of them agree; the last item is only begun, and one is excluded."""
    rng = Random(3)
    for number in range(25):
        worker = Worker(person(project, f"{NAMES[number % 13]}-{number // 13}"), project)
        left = 12 if number < 24 else 3
        while left and not isinstance(held := worker.claim(now=now), NoWork):
            _answer(worker, held, rng.random(), now=now)
            left -= 1
    worker.claim(now=now)
    lead = person(project, "lotte", Role.LEAD)
    [one] = Annotation.objects.filter(item__project=project, item__split="dev", author__username="ada-0")[:1]
    exclusion.exclude(project, uuids=[one.uuid], by=lead, reason="Did not read the page.", now=now)
    human_bound.keep(project, now=now)


def _answer(worker: Worker, held: Any, chance: float, *, now: datetime) -> None:
    if chance < 0.1:
        worker.commit(held, "question", BAD, now=now)
        return
    worker.commit(held, "question", GOOD, now=now)
    if chance < 0.3:
        worker.commit(held, "long_answer", NO_ANSWER, now=now)
        return
    box = 3 if chance < 0.85 else 4
    worker.commit(held, "long_answer", {"kind": "box", "candidate": box, "quote": QUOTES[box]}, now=now)
    kind = "yes" if chance < 0.7 else "none"
    worker.commit(held, "short_answer", {"kind": kind}, now=now)
