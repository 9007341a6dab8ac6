"""Late work: resume an expired assignment, or adopt work that was finished after its lease had ended."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotation.engine import recording
from annotation.models import Draft, Response
from tasks.engine import eligibility, leases, transitions
from tasks.models import Assignment, Lease
from tasks.models.states import AssignmentState, TaskState


def take_up_again(row: Assignment, *, now: datetime) -> bool:
    """Lease an expired assignment again, if there is a slot for it, the person has begun nothing else, and they have
    the qualifications that it needs.
    """
    if other_open(row) is not None or _lacks_qualification(row):
        return False
    _make_room(row, now=now)
    return lease_again(row, now=now)


def adopt(row: Assignment, *, now: datetime) -> str:
    """Give finished work of an expired assignment a slot that is free, or held by somebody who has saved nothing.

    Returns "", or why it is kept as late work without a slot: `taken` (others hold all slots), `cancelled` (a lead
    withdrew the item), `barred` (its author has since taken work that excludes it).
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
    """If all slots of the task are held, revoke one whose holder has saved nothing."""
    if transitions.free_slot(row.task) is not None:
        return
    idle = _idle_holder(row)
    if idle is not None:
        idle.task = row.task
        transitions.assignment(idle, AssignmentState.REVOKED, by=None, now=now, reason="adopted", of=str(row.uuid))
        leases.close_and_settle(idle.lease, now=now)


def lease_again(row: Assignment, *, now: datetime) -> bool:
    """Give the assignment a free slot and renew its lease, or open a new one; returns whether that was possible.

    It is not if no slot is free, or if the person has another open lease in the activity, work that excludes it, or not
    the qualifications that it needs.
    """
    slot = transitions.free_slot(row.task)
    if slot is None or other_open(row) is not None or eligibility.barred(row) or _lacks_qualification(row):
        return False
    if row.lease.closed_at is not None or leases.renew(row.lease, now=now) is None:
        row.lease = leases.open_lease(annotator=row.annotator, queue=row.lease.queue, now=now)
    row.slot = slot
    Assignment.objects.filter(pk=row.pk).update(slot=slot, lease=row.lease)
    transitions.assignment(row, AssignmentState.LEASED, by=row.annotator, now=now, again=True)
    return True


def _lacks_qualification(row: Assignment) -> bool:
    return eligibility.lacks_qualification(row.annotator, row.task.item.project, row.task.activity)


def other_open(row: Assignment) -> Lease | None:
    """Another open lease of the same person in the activity, or None."""
    return _other_leases(row).first()


def _other_leases(row: Assignment) -> QuerySet[Lease]:
    mine = Lease.objects.filter(annotator_id=row.annotator_id, closed_at__isnull=True).exclude(pk=row.lease_id)
    return mine.filter(project_id=row.lease.project_id, activity=row.lease.activity)


def untouched_lease(row: Assignment) -> Lease | None:
    """Another open lease of the same person in the activity under which nothing has been saved, or None."""
    lease = other_open(row)
    if lease is None or lease.assignments.exclude(pk__in=_idle()).exists():
        return None
    return lease


def _idle_holder(row: Assignment) -> Assignment | None:
    """The latest assignment of the same task by somebody who has neither saved a draft nor committed anything."""
    others = _idle().filter(task_id=row.task_id).exclude(annotator_id=row.annotator_id)
    return others.order_by("-claimed_at", "-pk").first()


def _idle() -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        ~Exists(Draft.objects.filter(annotation=OuterRef("annotation"), author=OuterRef("annotator"))),
        ~Exists(Response.objects.filter(annotation=OuterRef("annotation"), author=OuterRef("annotator"))),
        state=AssignmentState.LEASED,
    ).select_related("lease", "task", "annotation")
