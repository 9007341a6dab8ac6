"""Assignments that were revoked, and whether their holders have been notified."""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation import events
from annotation.models import Event, User
from tasks.models import Assignment
from tasks.states import AssignmentState

DAYS = 7
"""How long after a revocation its holder is still notified of it."""
TOLD = "assignment.told"
"""The kind of the event that records the notification."""


def mark_notified(assignment: Assignment, *, by: User, now: datetime) -> None:
    """Record that the holder of revoked work has been notified; idempotent."""
    if assignment.state == AssignmentState.REVOKED and not _told([assignment]):
        events.record(TOLD, assignment, by=by, now=now)


def unnotified(user: User, *, now: datetime) -> list[Assignment]:
    """The person's assignments that were recently revoked without a notification yet, oldest first."""
    since = now - timedelta(days=DAYS)
    mine = Assignment.objects.filter(annotator=user, state=AssignmentState.REVOKED, closed_at__gt=since)
    rows = list(mine.select_related("task__item__project", "lease").order_by("pk"))
    told = _told(rows) if rows else set()
    return [row for row in rows if events.name(row) not in told]


def _told(rows: list[Assignment]) -> set[str]:
    found = Event.objects.filter(subject__in=[events.name(row) for row in rows], kind=TOLD)
    return set(found.values_list("subject", flat=True))
