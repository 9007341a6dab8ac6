"""Many people at the same moment: threads that start at a barrier, each with its own connection and real commits."""

from __future__ import annotations

import inspect
import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from django.db import connection, connections

from annotation.models import Project, User
from tasks.engine import claiming
from tasks.engine.no_work import NoWork
from tasks.models import Assignment, Task
from tests.builders import BAD, Worker, open_with, project, questions
from tests.factories.people import UserFactory
from tests.people import NOON, join

Result = TypeVar("Result")
CLOCK = itertools.count()
"""A logical clock: ticks in the order in which threads ask."""
_idle: list[ThreadPoolExecutor] = []
"""Threads that are kept and have nothing to do, each an executor of its own: an action can call `together` too."""
_handing_out = threading.Lock()


def people(project: Project, count: int) -> list[User]:
    """Annotators of the project, without passwords, since hashing fifty takes longer than the race."""
    names = [f"annotator-{number}" for number in range(count)]
    UserFactory.insert_many(({"username": name} for name in names), ignore_conflicts=True)
    return [join(project, name) for name in names]


def study(folder: Path, *, items: int, slots: int, slug: str = "study") -> Project:
    """A project with so many items, each to be annotated by so many people."""
    made = project(slug, activities={"annotate": {"overlap": {"train": slots}}})
    open_with(made, folder, questions(items))
    return made


def together(actions: Iterable[Callable[[], Result]]) -> list[Result]:
    """Run each action in a thread, all starting at once; return the results in order, or raise the first error.

    Threads and their connections are kept, as those of a server are.
    """
    actions = list(actions)
    barrier = threading.Barrier(len(actions))

    def run(action: Callable[[], Result]) -> Result:
        try:
            connection.ensure_connection()
            barrier.wait(60)
            return action()
        except BaseException:
            barrier.abort()
            connections.close_all()
            raise

    with _handing_out:
        threads = [_idle.pop() if _idle else ThreadPoolExecutor(1) for _ in actions]
    begun = [thread.submit(Context().run, run, action) for thread, action in zip(threads, actions, strict=True)]
    wait(begun)
    _idle.extend(threads)
    return [each.result() for each in begun]


def end_threads() -> None:
    """End those that are kept. They have compiled their queries, and would not notice a patch of what these say."""
    while _idle:
        with _idle.pop() as thread:
            thread.submit(connections.close_all).result()


def ends_threads(test: Callable[..., object]) -> Iterator[None]:
    """Around a test that patches anything: no thread that it has is from before it, or goes on after it."""
    patches = "monkeypatch" in inspect.signature(test).parameters
    if patches:
        end_threads()
    yield
    if patches:
        end_threads()


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
    """One person claims once."""
    asked = next(CLOCK)
    got = (claim or claiming.claim)(project, "annotate", by=person, now=now)
    answered = next(CLOCK)
    if isinstance(got, NoWork):
        return Claim(person.pk, asked, answered)
    return Claim(person.pk, asked, answered, got.task_id, got.slot, got)


def claims_until_none(project: Project, person: User, *, gate: AbstractContextManager[Any]) -> list[Claim]:
    """One person claims and finishes work until they are sent away; each request passes the gate."""
    ledger = []
    while True:
        with gate:
            ledger.append(one_claim(project, person))
        if ledger[-1].assignment is None:
            return ledger
        with gate:
            Worker(person, project).commit(ledger[-1].assignment, "question", BAD)


def gate() -> AbstractContextManager[Any]:
    """On SQLite, whose server is one process, allow as many requests at a time as it has threads; else all at once.

    SQLite lets writers in at random: of thirty at once, one can wait longer than the 20 s of the settings.
    """
    return threading.Semaphore(8) if connection.vendor == "sqlite" else nullcontext()


def faults(ledger: Sequence[Claim], *, activity: str = "annotate") -> list[str]:
    """Faults in a ledger of claims during which no slot became free:

    a slot given twice, a person with two slots of one task, a task with more holders than slots, and a person who was
    sent away before every task that they did not have was claimed by as many others as it has slots.
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
