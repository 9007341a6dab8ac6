"""After a change of overlap: which tasks that exist get more places or fewer, and which keep theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation import events, projects, registry
from annotation.models import Adjudication, Annotation, Project, Purpose, User
from annotation.protocol import Activity
from tasks.engine import transitions
from tasks.engine.transactions import service
from tasks.items import reports
from tasks.models import Queue, Task
from tasks.models.states import HOLDS_SLOT, TaskState
from tasks.setup.opening import NAME

APPLIED = "queue.overlap"
"""The kind of the events; their data has how many tasks got `more` places (`again`: they had been done) or `fewer`, and
how many `kept` theirs.
"""
BATCH = 500
"""Tasks that are changed in one transaction."""
RAISED = (TaskState.OPEN, TaskState.FULL, TaskState.DONE)
"""In these states a task can get more places."""


@dataclass(frozen=True)
class OverlapChange:
    """What becomes of the tasks of an activity whose number of places is not the one that is wanted.

    `more`: they get more places, `again` of them although they were done. `fewer`: nobody has begun them. `kept`: the
    others, on which somebody works or has worked, which are disputed, frozen or decided.
    """

    activity: Activity
    more: int = 0
    again: int = 0
    fewer: int = 0
    kept: int = 0

    @property
    def is_any(self) -> bool:
        """Whether anything would be changed."""
        return bool(self.more or self.fewer)


class _TaskRow(NamedTuple):
    pk: int
    state: str
    slots: int
    split: str
    item: str
    held: int
    imported: int
    decided: bool


def planned(project: Project) -> list[OverlapChange]:
    """For each activity with tasks whose number of places is not the one that is wanted now."""
    found = [_counted(queue) for queue in _queues(project)]
    return [each for each in found if each.is_any or each.kept]


def apply(project: Project, *, by: User, now: datetime) -> list[OverlapChange]:
    """Do what was planned, in batches, each in a transaction of its own."""
    done = []
    for queue in _queues(project):
        change = _counted(queue)
        if not change.is_any:
            continue
        ids = [row.pk for row, slots in _differing(queue) if _verdict(row, slots) in ("more", "fewer")]
        for start in range(0, len(ids), BATCH):
            _apply(queue, ids[start : start + BATCH], by=by, now=now)
        counts = {name: getattr(change, name) for name in ("more", "again", "fewer", "kept")}
        events.record(APPLIED, queue, by=by, now=now, **counts)
        done.append(change)
    return done


@service
def _apply(queue: Queue, ids: list[int], *, by: User, now: datetime) -> None:
    locked = transitions.lock(ids)
    for row, slots in _differing(queue, ids=ids):
        if _verdict(row, slots) not in ("more", "fewer"):
            continue
        task = locked[row.pk]
        task.queue = queue
        Task.objects.filter(pk=task.pk).update(slots=slots)
        task.slots = slots
        if task.state == TaskState.DONE:
            transitions.task(task, TaskState.OPEN, by=by, now=now, reason="overlap")
        transitions.set_open_or_full(task, by=by, now=now)
        reports.freeze_again(task, now=now)


def _queues(project: Project) -> QuerySet[Queue]:
    return Queue.objects.filter(project=project, name=NAME).select_related("project").order_by("pk")


def _counted(queue: Queue) -> OverlapChange:
    counts = {"more": 0, "again": 0, "fewer": 0, "kept": 0}
    for row, slots in _differing(queue):
        verdict = _verdict(row, slots)
        counts[verdict] += 1
        counts["again"] += verdict == "more" and row.state == TaskState.DONE and row.held > 0
    return OverlapChange(registry.get(queue.project.protocol).activity(queue.activity), **counts)


def _differing(queue: Queue, *, ids: list[int] | None = None) -> Iterator[tuple[_TaskRow, int]]:
    """The tasks whose slots are not those that are wanted now, with the number that is."""
    activity = registry.get(queue.project.protocol).activity(queue.activity)
    wanted, seats = projects.WantedOverlap(queue.project, queue.activity), len(activity.seats)
    for row in _rows(queue, ids):
        slots = max(0, wanted.overlap_of(split=row.split, item=row.item) - row.imported) * seats
        if slots != _now(row):
            yield row, slots


def _now(row: _TaskRow) -> int:
    """The slots that count: a task that was done from the start has none."""
    return 0 if row.state == TaskState.DONE and not row.held else row.slots


def _verdict(row: _TaskRow, slots: int) -> str:
    if slots > _now(row):
        return "more" if row.state in RAISED and not row.decided else "kept"
    return "fewer" if row.state == TaskState.OPEN and not row.held and slots else "kept"


def _rows(queue: Queue, ids: list[int] | None) -> Iterator[_TaskRow]:
    held = Count("assignments", filter=Q(assignments__state__in=HOLDS_SLOT))
    tasks = Task.objects.filter(queue=queue, slots__isnull=False).exclude(state=TaskState.CANCELLED)
    if ids is not None:
        tasks = tasks.filter(pk__in=ids)
    columns = ("pk", "state", "slots", "split", "item__external_id", "held")
    imported = _imported(queue)
    standing = Adjudication.objects.filter(
        item=OuterRef("item"), activity=queue.activity, round=OuterRef("round"), taken_back_at__isnull=True
    )
    rows = tasks.annotate(held=held, decided=Exists(standing)).order_by("pk").values_list(*columns, "item", "decided")
    for pk, state, slots, split, name, n, item, decided in rows.iterator(chunk_size=2000):
        yield _TaskRow(pk, state, slots, split, name, n, imported.get(item, 0), decided)


def _imported(queue: Queue) -> dict[int, int]:
    """By item, the imported annotations, which take no slot."""
    rows = Annotation.objects.filter(
        item__project=queue.project_id, activity=queue.activity, purpose=Purpose.IMPORT
    ).order_by()
    return dict(rows.values_list("item").annotate(Count("pk")))
