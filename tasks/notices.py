"""Work that was taken from its holder, and whether they have been told."""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation import events
from annotation.models import Event, User
from tasks.models import Assignment
from tasks.states import AssignmentState

DAYS = 7
"""How long work that was taken from somebody is spoken of when they come back."""
TOLD = "assignment.told"
"""The kind of the event that says that the person has been told."""


def tell(assignment: Assignment, *, by: User, now: datetime) -> None:
    """The holder of work that was taken away is being told; that is written once."""
    if assignment.state == AssignmentState.REVOKED and not _told([assignment]):
        events.record(TOLD, assignment, by=by, now=now)


def untold(user: User, *, now: datetime) -> list[Assignment]:
    """What was taken from the person lately and they have not been told of, the oldest first."""
    since = now - timedelta(days=DAYS)
    mine = Assignment.objects.filter(annotator=user, state=AssignmentState.REVOKED, closed_at__gt=since)
    rows = list(mine.select_related("task__item__project", "lease").order_by("pk"))
    told = _told(rows) if rows else set()
    return [row for row in rows if events.name(row) not in told]


def _told(rows: list[Assignment]) -> set[str]:
    found = Event.objects.filter(subject__in=[events.name(row) for row in rows], kind=TOLD)
    return set(found.values_list("subject", flat=True))
