"""What a person already holds when they ask for work: resume it, or return it in favour of an item they have chosen."""

from __future__ import annotations

from datetime import datetime

from annotation.models import User
from tasks import leases, transitions
from tasks.eligibility import Seeker, free_tasks
from tasks.models import Assignment, Lease, Queue
from tasks.states import AssignmentState


class Ended(Exception):
    """The person's open lease ended while its tasks were being locked: release the locks and try again."""


def put_aside(queues: list[Queue], seek: Seeker, *, now: datetime) -> bool:
    """Return what is held (drafts stay) if the person has chosen another item that is free; returns whether it did."""
    lease = next((queue.open_lease for queue in queues if queue.open_lease), None)
    held = Assignment.objects.filter(lease=lease, state=AssignmentState.LEASED).exclude(task__item=seek.item)
    if lease is None or not held.exists():
        return False
    chosen = free_tasks(seek)
    transitions.lock([*held.values_list("task_id", flat=True), *chosen.values_list("pk", flat=True)])
    if not chosen.exists():
        return False
    for row in held.select_related("lease", "task__queue").order_by("task_id"):
        transitions.assignment(row, AssignmentState.RETURNED, by=seek.by, now=now)
        leases.close_and_settle(row.lease, now=now)
    return True


def resume(queues: list[Queue], *, by: User, now: datetime) -> Assignment | None:
    """Renew the person's open lease, even if overdue, and return its next assignment; Ended if it can't be renewed."""
    held = next((queue.open_lease for queue in queues if queue.open_lease), None)
    if held is None:
        return None
    lease = Lease.objects.select_related("queue__project").filter(pk=held, closed_at__isnull=True).first()
    if lease is None:
        return None
    tasks = transitions.lock(list(lease.assignments.values_list("task_id", flat=True)))
    until = leases.renew(lease, now=now)
    if until is None or until <= now:
        raise Ended
    rows = lease.assignments.filter(state=AssignmentState.LEASED, task__in=tasks)
    mine = rows.select_related("task__queue", "task__item", "annotation").order_by("pk").first()
    if mine is not None:
        return attach_relations(mine, lease=lease, by=by)
    leases.close_and_settle(lease, now=now)
    return mine


def attach_relations(mine: Assignment, *, lease: Lease, by: User) -> Assignment:
    """The assignment with its lease, task, queue, item and project cached on it, so that none is queried again."""
    mine.annotator, mine.lease = by, lease
    mine.task.item.project = lease.queue.project
    if mine.task.queue_id == lease.queue_id:
        mine.task.queue = lease.queue
    return mine
