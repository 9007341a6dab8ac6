"""Shared work that ends before its people have finished it, but in which enough was said: it counts as it is."""

from __future__ import annotations

from datetime import datetime

from annotation import events
from annotation.engine import committing, loading
from annotation.engine.work import Work
from annotation.models import Event
from tasks.engine import assignments
from tasks.models import Assignment
from tasks.models.states import AssignmentState


def finish_if_enough(held: Assignment, *, now: datetime) -> None:
    """Complete the shared work that somebody leaves or has lost, if its protocol says that what was said is enough.

    Every seat that then leaves goes to `submitted` (`transitions.assignment`). Call it under the task's lock, before
    the first seat leaves. Not for work whose item was reported, or that a flag ends: a lead decides about those.
    """
    work = _enough(held)
    if work is not None:
        committing.finish(work, now=now)


def is_enough(held: Assignment) -> bool:
    """Whether this shared work, if somebody left it now, would count as finished."""
    return _enough(held) is not None


def _enough(held: Assignment) -> Work | None:
    activity = assignments.activity_of(held)
    if len(activity.seats) == 1 or held.state != AssignmentState.LEASED or held.annotation.completed_at is not None:
        return None
    work = assignments.work_of(held)
    record = loading.finished_record(held.annotation, activity, work.responses)
    return work if work.protocol.is_enough(work.record, record, work.config) else None


def ended_early(held: Assignment) -> bool:
    """Whether this was submitted because a partner left or everybody was lost, and enough had been said."""
    rows = Event.objects.filter(subject=events.name(held), kind=f"assignment.{AssignmentState.SUBMITTED}")
    reasons = {event.data.get("reason") for event in rows}
    return held.state == AssignmentState.SUBMITTED and not reasons.isdisjoint({"partner_left", "all_lost"})
