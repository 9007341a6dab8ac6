"""State transitions of queues, tasks, assignments and tickets, slots of tasks, and the locks they need."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.db.compiled import Param, Prepared
from annotation.engine import state_machine
from annotation.models import User
from tasks.engine import pokes
from tasks.models import Assignment, Lease, Queue, Task, Ticket
from tasks.models.states import (
    ASSIGNMENT_MOVES,
    HOLDS_SLOT,
    QUEUE_MOVES,
    TASK_MOVES,
    TICKET_MOVES,
    AssignmentState,
    QueueState,
    TaskState,
    TicketState,
)


def queue(row: Queue, to: QueueState, *, by: User | None, now: datetime) -> None:
    """Move a queue to another state."""
    state_machine.move(row, to, moves=QUEUE_MOVES, by=by, now=now)


def task(row: Task, to: TaskState, *, by: User | None, now: datetime, **data: Any) -> None:
    """Move a task to another state; the caller holds its lock."""
    state_machine.move(row, to, moves=TASK_MOVES, by=by, now=now, data=data)


def assignment(row: Assignment, to: AssignmentState, *, by: User | None, now: datetime, **data: Any) -> None:
    """Move an assignment to another state and its task to open or full; the caller holds the task's lock.

    Re-opened work, however it is left, goes back to submitted.
    """
    if row.state == AssignmentState.LEASED and row.annotation.completed_at is not None:
        to = AssignmentState.SUBMITTED
    closed_at = None if to == AssignmentState.LEASED else now
    held = row.state in HOLDS_SLOT
    state_machine.move(row, to, moves=ASSIGNMENT_MOVES, by=by, now=now, data=data, closed_at=closed_at)
    pokes.holder(row, by=by)
    if held != (to in HOLDS_SLOT):
        set_open_or_full(row.task, by=by, now=now)


def ticket(row: Ticket, to: TicketState, *, by: User | None, now: datetime, **also: Any) -> None:
    """Move a lobby ticket to another state, with these columns; the caller holds the lobby's lock."""
    state_machine.move(row, to, moves=TICKET_MOVES, by=by, now=now, **also)
    pokes.visitor(row)


def set_open_or_full(row: Task, *, by: User | None, now: datetime) -> None:
    """Move an open or full task to open or full, according to its held slots; other states stay as they are."""
    if row.slots is None or row.state not in (TaskState.OPEN, TaskState.FULL):
        return
    to = TaskState.FULL if len(held_slots(row)) >= row.slots else TaskState.OPEN
    if to != row.state:
        task(row, to, by=by, now=now)


def held_slots(row: Task) -> set[int]:
    """The slots that are held."""
    return set(row.assignments.filter(state__in=HOLDS_SLOT).values_list("slot", flat=True))


def free_slot(row: Task) -> int | None:
    """The first slot that nobody holds, or None; a cancelled task has none."""
    if row.state == TaskState.CANCELLED:
        return None
    held = held_slots(row)
    return next(
        (slot for slot in range(len(held) + 1) if slot not in held and (row.slots is None or slot < row.slots)), None
    )


def lock(task_ids: list[int]) -> dict[int, Task]:
    """Lock tasks, waiting, in id order (as everywhere, against deadlocks); returns them by id."""
    rows = Task.objects.select_for_update(of=("self",)).filter(pk__in=task_ids).order_by("pk")
    return {row.pk: row for row in rows}


def lock_with_leases(held: Assignment, *, also: Lease | None = None) -> Task:
    """The assignment's task, locked with all tasks of its lease, of `also`, and of the open leases that hold it.

    Late work may end the block of another holder, which settles the other tasks of that block. The leases are found
    without a lock: if one was opened meanwhile, release all locks and start again, to keep the id order.
    """
    while True:
        wanted = _under_leases(held, also=also)
        with transaction.atomic():
            lock(sorted(wanted))
            if _under_leases(held, also=also) <= wanted:
                return lock_one(held.task)
            transaction.set_rollback(True)


def _under_leases(held: Assignment, *, also: Lease | None) -> set[int]:
    open_now = Q(lease__closed_at__isnull=True, lease__assignments__task=held.task_id)
    of_leases = Q(lease__in=[held.lease_id, *([also.pk] if also else [])])
    return {held.task_id, *Assignment.objects.filter(open_now | of_leases).values_list("task_id", flat=True)}


def lock_one(row: Task) -> Task:
    """Lock the task and refresh its state and slots; related objects loaded with it are kept."""
    row.state, row.slots = _locked.first(task=row.pk)
    return row


@Prepared
def _locked() -> QuerySet[Task, tuple[Any, ...]]:
    return Task.objects.select_for_update().filter(pk=Param("task")).values_list("state", "slots")
