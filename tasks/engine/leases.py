"""Open, renew, close and expire leases."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import DateTimeField, Exists, OuterRef, QuerySet

from annotation import registry
from annotation.db.compiled import Param, PreparedUpdate
from annotation.models import Draft, Project, Response, User
from annotation.protocol import Activity
from tasks.engine import assignments, clocks, settling, transitions
from tasks.engine.transactions import service
from tasks.models import Assignment, Lease, Queue
from tasks.models.states import AssignmentState

IDLE = timedelta(minutes=5)
"""A lease that was not renewed for so long, and in which nothing was saved, goes to somebody who waits for it."""


def open_lease(*, annotator: User, queue: Queue, now: datetime) -> Lease:
    """Open a lease for one person's work in an activity."""
    return Lease.objects.create(
        annotator=annotator,
        project_id=queue.project_id,
        activity=queue.leased_as,
        queue=queue,
        opened_at=now,
        expires_at=_end(queue, opened_at=now, now=now),
    )


def _end(queue: Queue, *, opened_at: datetime, now: datetime) -> datetime:
    """When a lease with input now expires; a block has a fixed end, and may idle out before it."""
    activity = activity_of(queue)
    if activity.idle_minutes is None:
        return now + timedelta(minutes=queue.lease_minutes)
    whole = opened_at + timedelta(minutes=queue.lease_minutes)
    return max(opened_at, min(whole, now + timedelta(minutes=activity.idle_minutes)))


def _block_begin(lease: Lease, *, now: datetime) -> datetime:
    """When the time of a block began, or begins now.

    A lease that lasts longer than a block of its queue is of work that was re-opened and waited for its author, or the
    queue's time was made shorter meanwhile: either way the holder has a whole block from now on.
    """
    is_longer = lease.expires_at > lease.opened_at + timedelta(minutes=lease.queue.lease_minutes)
    return now if is_longer and lease.expires_at > now else lease.opened_at


def renew(lease: Lease, *, now: datetime) -> datetime | None:
    """Extend an open lease; returns its new end, or None if it has been closed meanwhile.

    Where several people make one annotation, all their leases are extended, so that nobody's runs out while waiting.
    """
    if activity_of(lease.queue).idle_minutes is not None:
        begin = _block_begin(lease, now=now)
        if begin != lease.opened_at:
            held = Lease.objects.filter(pk=lease.pk, closed_at__isnull=True)
            held.update(opened_at=begin, expires_at=lease.expires_at)
            lease.opened_at = begin
    until = _end(lease.queue, opened_at=lease.opened_at, now=now)
    if not _extended(lease=lease.pk, until=until):
        return None
    lease.expires_at = until
    if len(activity_of(lease.queue).seats) > 1:
        _extended_together(lease=lease.pk, until=until)
    return until


@PreparedUpdate
def _extended() -> tuple[QuerySet[Lease], dict[str, Param]]:
    rows = Lease.objects.filter(pk=Param("lease"), closed_at__isnull=True)
    return rows, {"expires_at": Param("until", DateTimeField())}


@PreparedUpdate
def _extended_together() -> tuple[QuerySet[Lease], dict[str, Param]]:
    """The leases of everybody who makes the same annotation."""
    leased = Assignment.objects.filter(state=AssignmentState.LEASED)
    together = leased.filter(lease=Param("lease")).values("annotation")
    theirs = leased.filter(annotation__in=together).values("lease")
    rows = Lease.objects.filter(pk__in=theirs, closed_at__isnull=True)
    return rows, {"expires_at": Param("until", DateTimeField())}


def activity_of(queue: Queue) -> Activity:
    """The activity of a queue that was loaded with its project."""
    return registry.get(queue.project.protocol).activity(queue.answered)


def leased_seats(row: Assignment) -> list[Assignment]:
    """The leased assignments of its annotation: this one, and the partners' if there are any."""
    return [row, *_partners(row)]


def release_partners(row: Assignment, *, now: datetime) -> None:
    """Return the partners' assignments after somebody has left shared work; the responses are kept."""
    for partner in _partners(row):
        transitions.assignment(partner, AssignmentState.RETURNED, by=None, now=now, reason="partner_left")
        close_and_settle(partner.lease, now=now)


def _partners(row: Assignment) -> list[Assignment]:
    if len(registry.get(row.task.item.project.protocol).activity(row.task.activity).seats) == 1:
        return []
    beside = Assignment.objects.filter(annotation=row.annotation_id, state=AssignmentState.LEASED).exclude(pk=row.pk)
    found = list(beside.select_related("lease__queue__project", "annotator", "annotation").order_by("slot"))
    for partner in found:
        partner.task = row.task
    return found


def close_if_done(lease: Lease, *, now: datetime) -> bool:
    """Close the lease if no assignment is leased under it any more; submitted ones can no longer be revised then.

    Returns whether it was closed now: then the caller settles what was submitted under it.
    """
    ended = _closed(lease=lease.pk, now=now)
    if ended:
        lease.closed_at = now
    return bool(ended)


@PreparedUpdate
def _closed() -> tuple[QuerySet[Lease], dict[str, Param]]:
    leased = Assignment.objects.filter(lease=OuterRef("pk"), state=AssignmentState.LEASED)
    rows = Lease.objects.filter(~Exists(leased), pk=Param("lease"), closed_at__isnull=True)
    return rows, {"closed_at": Param("now", DateTimeField())}


def close_and_settle(lease: Lease, *, now: datetime) -> None:
    """Close the lease if no assignment is leased under it any more, and settle what was submitted under it."""
    if close_if_done(lease, now=now):
        _settle(lease, now=now)


def _settle(lease: Lease, *, now: datetime) -> None:
    """Settle the tasks of a closed lease; the caller holds their locks."""
    for row in lease.assignments.filter(state=AssignmentState.SUBMITTED).select_related("task__queue"):
        settling.settle(row.task, by=lease.annotator, now=now)


def expire_overdue(*, now: datetime, project: Project | None = None, activity: str | None = None) -> int:
    """Expire every overdue lease (of one activity, if given) and free its slots; returns how many.

    Leases are found without a lock; each is expired only if it is still overdue once its tasks are locked. Those of
    shared work don't run during its pauses.
    """
    overdue = Lease.objects.filter(closed_at__isnull=True, expires_at__lte=now).select_related("queue__project")
    if project is not None:
        overdue = overdue.filter(project=project, activity=activity)
    return sum(expire(lease, now=now) for lease in overdue.order_by("pk") if not _was_held_up(lease, now=now))


def _was_held_up(lease: Lease, *, now: datetime) -> bool:
    """Whether less time than the lease's has passed since it was renewed, leaving out the pauses of shared work."""
    if len(activity_of(lease.queue).seats) == 1:
        return False
    lasts = timedelta(minutes=lease.queue.lease_minutes)
    renewed = lease.expires_at - lasts
    return clocks.clock(lease.project_id, since=renewed).passed(renewed, now) < lasts


def expire_idle(*, now: datetime, project: Project, activity: str) -> int:
    """Expire the leases of an activity that nobody renews and in which nothing was saved; returns how many.

    For somebody else who would get nothing: a page that is open and watched renews its lease every minute. A block
    stays its holder's, as announced to them.
    """
    drafted = Exists(Draft.objects.filter(annotation__assignments__lease=OuterRef("pk")))
    answered = Exists(Response.objects.filter(annotation__assignments__lease=OuterRef("pk")))
    untouched = Lease.objects.filter(~drafted, ~answered, project=project, activity=activity, closed_at__isnull=True)
    expired = 0
    for queue in Queue.objects.select_related("project").filter(project=project, activity=activity):
        wanted = activity_of(queue)
        if wanted.idle_minutes is not None or len(wanted.seats) > 1:
            continue
        renewed_until = now - IDLE + timedelta(minutes=queue.lease_minutes)
        for lease in untouched.filter(queue=queue, expires_at__lte=renewed_until).order_by("pk"):
            as_found = Lease.objects.filter(pk=lease.pk, closed_at__isnull=True, expires_at=lease.expires_at)
            expired += as_found.update(expires_at=now) and expire(lease, now=now)
    return expired


@service
def expire(lease: Lease, *, now: datetime) -> bool:
    """Expire one overdue lease; False if its holder has renewed or closed it meanwhile."""
    while True:
        wanted = set(lease.assignments.values_list("task_id", flat=True))
        with transaction.atomic():
            tasks = transitions.lock(sorted(wanted))
            overdue = Lease.objects.filter(pk=lease.pk, closed_at__isnull=True, expires_at__lte=now)
            if not overdue.update(closed_at=now):
                return False
            if wanted.issuperset(lease.assignments.values_list("task_id", flat=True)):
                break
            transaction.set_rollback(True)  # work was re-opened under it meanwhile: lock that too, in id order
    leased = lease.assignments.filter(state=AssignmentState.LEASED).select_related("task__item__project", "annotation")
    for row in leased.order_by("task_id"):
        row.task.state, row.task.slots = tasks[row.task_id].state, tasks[row.task_id].slots
        row.lease = lease
        assignments.finish_if_enough(row, now=now)
        transitions.assignment(row, AssignmentState.EXPIRED, by=None, now=now)
        release_partners(row, now=now)
    _settle(lease, now=now)
    return True


def expire_early(lease: Lease, *, now: datetime) -> None:
    """Expire a lease before its time."""
    Lease.objects.filter(pk=lease.pk, closed_at__isnull=True).update(expires_at=now)
    expire(lease, now=now)
