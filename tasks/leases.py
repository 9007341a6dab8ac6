"""Open, renew, close and expire leases; adopt late work where its slot is still to be had."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import DateTimeField, Exists, OuterRef, QuerySet

from annotation import protocol as registry
from annotation import recording
from annotation.db.compiled import Param, PreparedUpdate
from annotation.models import Draft, Project, Response, User
from tasks import eligibility, settling, transitions
from tasks.models import Assignment, Lease, Queue
from tasks.states import AssignmentState, TaskState
from tasks.transactions import retry_on_conflict


def open_lease(*, annotator: User, queue: Queue, now: datetime) -> Lease:
    """Start the clock of one person's work in an activity."""
    return Lease.objects.create(
        annotator=annotator,
        project_id=queue.project_id,
        activity=queue.activity,
        queue=queue,
        opened_at=now,
        expires_at=_end(queue, opened_at=now, now=now),
    )


def _end(queue: Queue, *, opened_at: datetime, now: datetime) -> datetime:
    """When a lease ends that has input now: a block has an end that no input moves, and an idle time before it."""
    activity = registry.get(queue.project.protocol).activity(queue.activity)
    if activity.idle_minutes is None:
        return now + timedelta(minutes=queue.lease_minutes)
    whole = opened_at + timedelta(minutes=queue.lease_minutes)
    return max(opened_at, min(whole, now + timedelta(minutes=activity.idle_minutes)))


def renew(lease: Lease, *, now: datetime) -> datetime | None:
    """Start the clock anew while the lease is open; None where it was closed meanwhile."""
    until = _end(lease.queue, opened_at=lease.opened_at, now=now)
    if not Lease.objects.filter(pk=lease.pk, closed_at__isnull=True).update(expires_at=until):
        return None
    lease.expires_at = until
    return until


def close_if_done(lease: Lease, *, now: datetime) -> bool:
    """A lease ends with its last leased assignment; what was submitted under it can't be revised any more.

    Whether it ended now: then the caller settles what was submitted under it.
    """
    ended = _closed(lease=lease.pk, now=now)
    if ended:
        lease.closed_at = now
    return bool(ended)


@PreparedUpdate
def _closed() -> tuple[QuerySet, dict[str, Param]]:
    leased = Assignment.objects.filter(lease=OuterRef("pk"), state=AssignmentState.LEASED)
    rows = Lease.objects.filter(~Exists(leased), pk=Param("lease"), closed_at__isnull=True)
    return rows, {"closed_at": Param("now", DateTimeField())}


def close_and_settle(lease: Lease, *, now: datetime) -> None:
    """End a lease that has no leased assignment any more, and settle what was submitted under it."""
    if close_if_done(lease, now=now):
        _settle(lease, now=now)


def _settle(lease: Lease, *, now: datetime) -> None:
    """Settle the tasks of a lease that has ended; the caller holds their locks."""
    for row in lease.assignments.filter(state=AssignmentState.SUBMITTED).select_related("task__queue"):
        settling.settle(row.task, by=lease.annotator, now=now)


def expire_overdue(*, now: datetime, project: Project | None = None, activity: str | None = None) -> int:
    """End every lease whose time is over (of one activity, if named) and free its slots; returns how many.

    Leases are found without a lock; each is ended only if it is still overdue once its tasks are locked.
    """
    overdue = Lease.objects.filter(closed_at__isnull=True, expires_at__lte=now)
    if project is not None:
        overdue = overdue.filter(project=project, activity=activity)
    return sum(expire(lease, now=now) for lease in overdue.order_by("pk"))


@retry_on_conflict
@transaction.atomic
def expire(lease: Lease, *, now: datetime) -> bool:
    """End one overdue lease; False where its holder renewed or closed it meanwhile."""
    tasks = transitions.lock(list(lease.assignments.values_list("task_id", flat=True)))
    ended = Lease.objects.filter(pk=lease.pk, closed_at__isnull=True, expires_at__lte=now).update(closed_at=now)
    if not ended:
        return False
    for row in lease.assignments.filter(state=AssignmentState.LEASED).order_by("task_id"):
        row.task = tasks[row.task_id]
        transitions.assignment(row, AssignmentState.EXPIRED, by=None, now=now)
    _settle(lease, now=now)
    return True


def run_out(lease: Lease, *, now: datetime) -> None:
    """The time of a lease is over, whatever was left of it: for bots, which do not wait for it to pass."""
    Lease.objects.filter(pk=lease.pk, closed_at__isnull=True).update(expires_at=now)
    expire(lease, now=now)


def take_up_again(row: Assignment, *, now: datetime) -> bool:
    """An expired assignment goes on with a fresh clock, if there is a slot for it and they began nothing else."""
    if other_open(row) is not None:
        return False
    _make_room(row, now=now)
    return hold_again(row, now=now)


def adopt(row: Assignment, *, now: datetime) -> str:
    """Finished work of an expired assignment takes a slot that is free or only held idle; else it is kept as late.

    Returns "", or why it is late: `taken` (others hold all slots), `cancelled` (a lead took the item out), `barred`
    (its author meanwhile took what excludes it: a paper's full text, for who asks about it).
    """
    late = "barred" if eligibility.barred(row) else "cancelled" if row.task.state == TaskState.CANCELLED else ""
    slot = None
    if not late:
        _make_room(row, now=now)
        slot = transitions.free_slot(row.task)
    if slot is None:
        transitions.assignment(row, AssignmentState.LATE, by=row.annotator, now=now)
        recording.exclude(row.annotation, by=None, reason="late", now=now)
        return late or "taken"
    Assignment.objects.filter(pk=row.pk).update(slot=slot)
    row.slot = slot
    transitions.assignment(row, AssignmentState.SUBMITTED, by=row.annotator, now=now, adopted=True)
    return ""


def _make_room(row: Assignment, *, now: datetime) -> None:
    """Revoke a holder who has saved nothing, where all slots of the task are held."""
    if transitions.free_slot(row.task) is not None:
        return
    idle = _idle_holder(row)
    if idle is not None:
        idle.task = row.task
        transitions.assignment(idle, AssignmentState.REVOKED, by=None, now=now, reason="adopted", of=str(row.uuid))
        close_and_settle(idle.lease, now=now)


def hold_again(row: Assignment, *, now: datetime) -> bool:
    """Give the assignment a free slot and a fresh clock; False where there is none or they began what excludes it.

    In a block that is still open it takes its place again; else it gets a lease, if they have no other.
    """
    slot = transitions.free_slot(row.task)
    if slot is None or other_open(row) is not None or eligibility.barred(row):
        return False
    if row.lease.closed_at is not None or renew(row.lease, now=now) is None:
        row.lease = open_lease(annotator=row.annotator, queue=row.lease.queue, now=now)
    row.slot = slot
    Assignment.objects.filter(pk=row.pk).update(slot=slot, lease=row.lease)
    transitions.assignment(row, AssignmentState.LEASED, by=row.annotator, now=now, again=True)
    return True


def other_open(row: Assignment) -> Lease | None:
    """The lease of other work of the same person in the activity, while it is open."""
    return _other_leases(row).first()


def _other_leases(row: Assignment) -> QuerySet[Lease]:
    mine = Lease.objects.filter(annotator_id=row.annotator_id, closed_at__isnull=True).exclude(pk=row.lease_id)
    return mine.filter(project_id=row.lease.project_id, activity=row.lease.activity)


def untouched(row: Assignment) -> Lease | None:
    """The lease of other work of the same person in the activity, begun and with nothing saved in any piece of it."""
    lease = other_open(row)
    if lease is None or lease.assignments.exclude(pk__in=_idle()).exists():
        return None
    return lease


def _idle_holder(row: Assignment) -> Assignment | None:
    """Who was given a slot of the same task last and has neither saved a draft nor committed anything."""
    others = _idle().filter(task_id=row.task_id).exclude(annotator_id=row.annotator_id)
    return others.order_by("-claimed_at", "-pk").first()


def _idle() -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        ~Exists(Draft.objects.filter(annotation=OuterRef("annotation"))),
        ~Exists(Response.objects.filter(annotation=OuterRef("annotation"))),
        state=AssignmentState.LEASED,
    ).select_related("lease", "task", "annotation")
