"""Papers with questions, people who answer them block by block, and checkers that replay the history."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.db.models import Q

from annotation.errors import AlreadyClosed, StalePage
from annotation.models import Event, Item, Project, User
from tasks.engine import claiming, leases, queues, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.models import Assignment, Lease, Task
from tasks.models.states import LEAVES_ITEM_FREE, AssignmentState, TaskState
from tests.builders import Worker, load, project, reload
from tests.people import NOON
from tests.protocols.qasper import builders
from tests.races.rigs.crowd import CLOCK, Claim

UNANSWERABLE = {"kind": "unanswerable"}
BY_ABSENCE = {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True}
LATER = NOON + timedelta(hours=5)
"""When a block without input expires."""

Ending = Callable[[User, list[Assignment]], None]
"""What a person does with a block."""


def library(
    folder: Path, *, papers: int, questions: int, slots: int = 1, slug: str = "papers", **config: Any
) -> Project:
    """A project with papers of so many questions each, to be answered by so many people; asking takes two writers."""
    numbers = {"answer": {"overlap": {"train": slots}}, "ask": {"overlap": {"train": 2}}}
    made = project(slug, "qasper", activities=numbers, **config)
    found = {
        f"{1000 + place}.00001": builders.paper(
            title=f"Otters of river {place}",
            qas=[builders.question(place * 100 + number) for number in range(questions)],
        )
        for place in range(papers)
    }
    file = folder / f"{slug}.json"
    file.write_text(json.dumps(found), encoding="utf-8")
    load(made, file, split="train")
    for activity in ("ask", "answer"):
        queues.open_queue(made, activity, by=None, now=NOON)
    return made


def one_at_a_time(papers: Project, *, activity: str = "answer") -> Iterator[Item]:
    """Each paper in turn: only its tasks are open, and what was left of the previous paper is ended."""
    tasks = Task.objects.filter(queue__project=papers, activity=activity)
    tasks.update(state=TaskState.FROZEN)
    for paper in Item.objects.filter(project=papers, kind="paper").order_by("pk"):
        tasks.filter(Q(item=paper) | Q(item__root=paper)).update(state=TaskState.OPEN)
        yield paper
        leases.expire_overdue(now=NOON + timedelta(days=9))
        tasks.filter(state=TaskState.OPEN).update(state=TaskState.FROZEN)


def asked(*texts: str) -> dict[str, Any]:
    """A writer's questions about one paper."""
    return {
        "nlp_background": "two",
        "topic_background": "familiar",
        "paper_read": "no",
        "search_query": "",
        "questions": [{"text": text, "answerable_from_abstract": False} for text in texts],
    }


def block_of(assignment: Assignment) -> list[Assignment]:
    """The pieces of the lease, in the order in which they are shown."""
    return list(assignment.lease.assignments.order_by("pk"))


def all_answered(person: User, block: list[Assignment]) -> None:
    """They answer every question."""
    for row in block:
        Worker(person, row.task.item.project, "answer").commit(row, "answer", UNANSWERABLE)


def half_then_given_back(person: User, block: list[Assignment]) -> None:
    """They answer half of the questions and return the rest."""
    all_answered(person, block[: len(block) // 2])
    skip_and_return.give_back(reload(block[-1]), by=person, now=NOON)


def half_then_expired(person: User, block: list[Assignment]) -> None:
    """They answer half of the questions and leave until the lease expires."""
    all_answered(person, block[: len(block) // 2])
    leases.expire(Lease.objects.get(pk=block[0].lease_id), now=LATER)


def half_skipped(person: User, block: list[Assignment]) -> None:
    """They skip the first question and answer the others."""
    skip_and_return.skip(reload(block[0]), by=person, reason="hard", text="", now=NOON)
    all_answered(person, block[1:])


def blocks_until_none(
    project: Project, person: User, *, gate: AbstractContextManager[Any], endings: Iterator[Ending]
) -> list[Claim]:
    """One person claims papers until they are sent away, and ends each block in the next of these ways.

    Returns a line of the ledger for each question they were given.
    """
    ledger: list[Claim] = []
    while True:
        asked_at = next(CLOCK)
        with gate:
            got = claiming.claim(project, "answer", by=person, now=NOON)
        answered_at = next(CLOCK)
        if isinstance(got, NoWork):
            return [*ledger, Claim(person.pk, asked_at, answered_at)]
        block = block_of(got)
        ledger += [Claim(person.pk, asked_at, answered_at, row.task_id, row.slot, row) for row in block]
        with gate:
            next(endings)(person, block)


def mixed_endings(seed: int) -> Iterator[Ending]:
    """Four blocks with mixed endings, then people who answer everything."""
    rng = Random(seed)
    yield from (rng.choice((all_answered, half_then_given_back, half_then_expired)) for _ in range(4))
    while True:
        yield all_answered


def refused(action: Callable[[], Any]) -> Any:
    """Its result, or None if it came too late or another was faster."""
    try:
        return action()
    except (AlreadyClosed, StalePage):
        return None


def split_papers() -> list[str]:
    """Replay the history: blocks that were not everything free to the person at that moment, and slots given twice.

    Changing a paper takes the locks of what changes, and claiming it takes them all, so the events about one paper are
    stored in the order in which things happened.
    """
    rows = {f"assignment:{row.uuid}": row for row in Assignment.objects.all()}
    tasks = {task.pk: task for task in Task.objects.filter(activity="answer").select_related("item")}
    holders, had = defaultdict(set), defaultdict(set)
    free: dict[int, set[int]] = {}
    given: dict[int, set[int]] = defaultdict(set)
    found = []
    for event in Event.objects.filter(kind__startswith="assignment.", subject__in=rows).order_by("pk"):
        row, what = rows[event.subject], event.kind.removeprefix("assignment.")
        if what == "claimed":
            paper = tasks[row.task_id].item.root_id
            under = (task for task in tasks.values() if task.item.root_id == paper)
            free.setdefault(
                row.lease_id,
                {
                    task.pk
                    for task in under
                    if len(holders[task.pk]) < task.slots and row.annotator_id not in had[task.pk]
                },
            )
            given[row.lease_id].add(row.task_id)
        if what in ("claimed", AssignmentState.LEASED, AssignmentState.SUBMITTED):
            holders[row.task_id].add(row.annotator_id)
            had[row.task_id].add(row.annotator_id)
        else:
            holders[row.task_id].discard(row.annotator_id)
        if what in LEAVES_ITEM_FREE:
            had[row.task_id].discard(row.annotator_id)
        if len(holders[row.task_id]) > tasks[row.task_id].slots:
            found.append(f"task {row.task_id} has {len(holders[row.task_id])} holders")
    found += [f"lease {key}: given {given[key]} of {free[key]}" for key in given if given[key] != free[key]]
    return found
