"""Invariants of a project's work at every moment, whoever did what: conservation of slots, and who holds them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime

from annotation.engine import exclusion
from annotation.models import Annotation, Flag, Project, User
from tasks.items.reports import ENOUGH
from tasks.models import Assignment, Lease, Task
from tasks.models.states import HOLDS_SLOT, LEAVES_ITEM_FREE, AssignmentState, TaskState

SETTLED = (TaskState.DONE, TaskState.DISPUTED)
KEPT_BACK = (TaskState.FROZEN, TaskState.CANCELLED)
"""Nobody is given their slots; holders of a frozen task may finish."""


def faults(project: Project) -> list[str]:
    """All violations, as sentences; empty if there are none."""
    by_task, by_annotation = defaultdict(list), defaultdict(list)
    rows = Assignment.objects.filter(task__queue__project=project).select_related("lease", "annotation")
    for row in rows:
        by_task[row.task_id].append(row)
        by_annotation[row.annotation_id].append(row.state)
    found: list[str] = []
    reports = Counter(Flag.objects.filter(item__project=project, settled_at=None).values_list("item", flat=True))
    for task in Task.objects.filter(queue__project=project):
        found += _of_task(task, [row for row in by_task[task.pk] if row.state in HOLDS_SLOT])
        found += _of_reports(task, reports[task.item_id])
    for row in rows:
        found += _of_assignment(row)
    kept = (AssignmentState.SUBMITTED, AssignmentState.LATE)
    for pk in Annotation.objects.filter(item__project=project, completed_at__isnull=False).values_list("pk", flat=True):
        if sum(state in kept for state in by_annotation[pk]) != 1:
            found.append(f"annotation {pk} is complete and belongs to {by_annotation[pk]}")
    working = {row.lease_id for row in rows if row.state == AssignmentState.LEASED}
    found += [
        f"lease {pk} is open and nothing is leased under it"
        for pk in Lease.objects.filter(project=project, closed_at__isnull=True).values_list("pk", flat=True)
        if pk not in working
    ]
    return found


def _of_task(task: Task, held: list[Assignment]) -> Iterator[str]:
    """Done, leased and other slots add up to all slots, without overlap.

    The others are available if the task is open, and withheld if it is frozen or withdrawn; otherwise there are none.
    """
    done = sum(row.state == AssignmentState.SUBMITTED for row in held)
    leased, other = len(held) - done, task.slots - len(held)
    if task.state == TaskState.OPEN:
        fits = other > 0
    elif task.state in KEPT_BACK:
        fits = other >= 0
    else:
        fits = other == 0
    if not fits or (leased and task.state == TaskState.CANCELLED):
        yield f"task {task.pk} ({task.state}) of {task.slots}: {done} done, {leased} leased, {other} others"
    if len({row.slot for row in held}) < len(held) or any(row.slot >= task.slots for row in held):
        yield f"task {task.pk}: slots {[row.slot for row in held]} are held"
    if len({row.annotator_id for row in held}) < len(held):
        yield f"task {task.pk}: one person holds two slots"
    revisable = any(row.lease.closed_at is None for row in held)
    if task.state not in KEPT_BACK and (done == task.slots and not revisable) != (task.state in SETTLED):
        yield f"task {task.pk} is {task.state} with {done} of {task.slots} slots done"


def _of_reports(task: Task, reports: int) -> Iterator[str]:
    """A task is frozen exactly when enough people have reported it and no lead has looked at it yet."""
    if task.state in (TaskState.OPEN, TaskState.FULL) and reports >= ENOUGH:
        yield f"task {task.pk} is {task.state} after {reports} reports"
    if task.state == TaskState.FROZEN and reports < ENOUGH:
        yield f"task {task.pk} is frozen after {reports} reports"


def _of_assignment(row: Assignment) -> Iterator[str]:
    """The columns of an assignment fit its state."""
    annotation = row.annotation
    if row.state == AssignmentState.LEASED and (row.lease.closed_at or row.closed_at):
        yield f"assignment {row.pk} is leased under a lease that is closed"
    if row.state != AssignmentState.LEASED and row.closed_at is None:
        yield f"assignment {row.pk} is {row.state} and not closed"
    late = annotation.exclusion_reason == exclusion.LATE
    if row.state == AssignmentState.SUBMITTED and (annotation.completed_at is None or late):
        yield f"assignment {row.pk} is submitted and its annotation does not count"
    if row.state == AssignmentState.LATE and (annotation.completed_at is None or not late):
        yield f"assignment {row.pk} is late and its annotation is not kept as late"


def to_be_had(project: Project, activity: str, person: User, *, now: datetime) -> set[int]:
    """The tasks with a free slot that this person may be given, found without the claim's query."""
    had, finished = set(), set()
    held: dict[int, int] = defaultdict(int)
    rows = Assignment.objects.filter(task__queue__project=project, task__activity=activity)
    for row in rows.select_related("task", "lease", "annotation"):
        overdue = row.state == AssignmentState.LEASED and row.lease.expires_at <= now
        if row.state in HOLDS_SLOT and not overdue:
            held[row.task_id] += 1
        if row.annotator_id == person.pk:
            if row.state not in LEAVES_ITEM_FREE and not overdue:
                had.add(row.task.item_id)
            if row.annotation.completed_at is not None:
                finished.add(row.task.item_id)
    reported = set(Flag.objects.filter(author=person, settled_at=None).values_list("item", flat=True))
    tasks = Task.objects.filter(queue__project=project, activity=activity, state__in=(TaskState.OPEN, TaskState.FULL))
    mine = had | finished | reported
    return {task.pk for task in tasks if held[task.pk] < task.slots and task.item_id not in mine}
