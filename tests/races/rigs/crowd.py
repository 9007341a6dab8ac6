"""Many people at the same moment: threads that start together, each with its own connection and real commits."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from django.db import connection, connections

from annotation.models import Project, User
from tasks import claiming
from tasks.models import Assignment, Task
from tasks.no_work import NoWork
from tests.builders import BAD, Worker, open_with, project, questions
from tests.people import NOON, join

Result = TypeVar("Result")
CLOCK = itertools.count()
"""Ticks in the order in which threads ask: what was before what, without a stopwatch."""


def people(project: Project, count: int) -> list[User]:
    """Annotators of the project; they have no password, as hashing fifty takes longer than the race."""
    User.objects.bulk_create((User(username=f"annotator-{n}") for n in range(count)), ignore_conflicts=True)
    return [join(project, f"annotator-{number}") for number in range(count)]


def study(folder: Path, *, items: int, slots: int, slug: str = "study") -> Project:
    """A project with so many items, each to be annotated by so many people."""
    made = project(slug, activities={"annotate": {"overlap": {"train": slots}}})
    open_with(made, folder, questions(items))
    return made


def together(actions: Iterable[Callable[[], Result]]) -> list[Result]:
    """Each action in a thread of its own, all starting at once; their results in order, or the first error."""
    actions = list(actions)
    barrier = threading.Barrier(len(actions))

    def run(action: Callable[[], Result]) -> Result:
        try:
            connection.ensure_connection()
            barrier.wait(60)
            return action()
        except BaseException:
            barrier.abort()
            raise
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return [future.result() for future in [pool.submit(run, action) for action in actions]]


@dataclass(frozen=True)
class Claim:
    """A line of the ledger: who asked and was answered when, and what they got (None: they were sent away)."""

    person: int
    asked: int
    answered: int
    task: int | None = None
    slot: int = -1
    assignment: Assignment | None = None


def one_claim(
    project: Project, person: User, *, now: datetime = NOON, claim: Callable[..., Any] | None = None
) -> Claim:
    """One person asks once for work."""
    asked = next(CLOCK)
    got = (claim or claiming.claim)(project, "annotate", by=person, now=now)
    answered = next(CLOCK)
    if isinstance(got, NoWork):
        return Claim(person.pk, asked, answered)
    return Claim(person.pk, asked, answered, got.task_id, got.slot, got)


def claims_until_none(project: Project, person: User, *, gate: AbstractContextManager[Any]) -> list[Claim]:
    """One person asks for work and finishes it until they are sent away; each request passes the gate."""
    ledger = []
    while True:
        with gate:
            ledger.append(one_claim(project, person))
        if ledger[-1].assignment is None:
            return ledger
        with gate:
            Worker(person, project).commit(ledger[-1].assignment, "question", BAD)


def gate() -> AbstractContextManager[Any]:
    """On SQLite, whose server is one process, as many requests at a time as it has threads; else all at once.

    SQLite lets writers in by chance: of thirty at once, one can wait for longer than the 20 s of the settings.
    """
    return threading.Semaphore(8) if connection.vendor == "sqlite" else nullcontext()


def faults(ledger: Sequence[Claim], *, activity: str = "annotate") -> list[str]:
    """What no run may have, by the ledger of its claims while no slot became free:

    a slot given twice, a person with two slots of one task, a task with more holders than slots, and a person who was
    sent away before every task that they did not have was asked for by as many others as it has slots.
    """
    given = [claim for claim in ledger if claim.task is not None]
    slots = dict(Task.objects.filter(activity=activity).values_list("pk", "slots"))
    found = [f"slot {key} given {n} times" for key, n in Counter((c.task, c.slot) for c in given).items() if n > 1]
    found += [f"person {key} {n} times" for key, n in Counter((c.task, c.person) for c in given).items() if n > 1]
    found += [f"task {task} given {n} times" for task, n in Counter(c.task for c in given).items() if n > slots[task]]
    for away in (claim for claim in ledger if claim.task is None):
        had = {claim.task for claim in given if claim.person == away.person}
        asked_for = Counter(claim.task for claim in given if claim.asked < away.answered)
        free = [task for task, wanted in slots.items() if task not in had and asked_for[task] < wanted]
        found += [f"person {away.person} sent away while task {task} had a free slot" for task in free]
    return found
