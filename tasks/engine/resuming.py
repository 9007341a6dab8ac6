"""What a person holds or has left unfinished when they ask for work: resume it, or return it for a chosen item."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import CharField, DateTimeField, Exists, OuterRef, QuerySet, Subquery

from annotation.db.compiled import Param, Prepared
from annotation.models import Annotation, GuidelineVersion, Project, User
from tasks.engine import leases, transitions
from tasks.engine.eligibility import Seeker, free_tasks
from tasks.models import Assignment, Lease, Queue
from tasks.models.states import AssignmentState

KEPT = timedelta(hours=24)
"""How long work that a person left unfinished is offered to them first. Their draft is kept beyond that."""


class LeaseEnded(Exception):
    """The person's open lease ended while its tasks were being locked: release the locks, expire it and try again."""

    def __init__(self, lease: Lease) -> None:
        super().__init__()
        self.lease = lease


def queues_of(project: Project, activity: str, *, by: User, now: datetime, locked: bool) -> list[Queue]:
    """The queues of the activity in id order, annotated with what this person holds and has left unfinished in it."""
    found: list[Queue] = _queues_of(locked, project=project.pk, activity=activity, by=by.pk, since=now - KEPT)
    for queue in found:
        queue.project = project
    return found


@Prepared
def _queues_of(locked: bool) -> QuerySet[Queue]:
    by, project, activity = Param("by"), Param("project"), Param("activity", CharField())
    mine = Lease.objects.filter(annotator=by, project=project, activity=activity, closed_at__isnull=True)
    guidelines = GuidelineVersion.objects.filter(project=project).order_by("-number")
    queues = Queue.objects.filter(project=project, activity=activity)
    rows = queues.annotate(  # type: ignore[no-redef]  # as Queue declares them
        open_lease=Subquery(mine.values("pk")[:1]),
        left_unfinished=Exists(left_unfinished(by, activity, since=Param("since", DateTimeField()))),
        guidelines=Subquery(guidelines.values("pk")[:1]),
    )
    if locked:
        # FOR NO KEY UPDATE: a concurrent claim inserts a lease with a foreign key to the queue, and must not wait here.
        rows = rows.select_for_update(of=("self",), no_key=True)
    return rows.order_by("pk")


def left_unfinished(by: Any, activity: Any, *, since: Any) -> QuerySet[Annotation]:
    """What the person left unfinished in an activity (of any project) since then; it is offered to them first."""
    lately = Assignment.objects.filter(annotation=OuterRef("pk"), closed_at__gt=since)
    mine = Annotation.objects.filter(author=by, activity=activity, completed_at__isnull=True, excluded_at__isnull=True)
    return mine.filter(Exists(lately))


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
        raise LeaseEnded(lease)
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
