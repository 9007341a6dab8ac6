"""Whether the partners of shared work are still there, as the polls of their pages and their answers tell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max

from annotation import events
from annotation.models import Event, Response
from tasks import leases
from tasks.models import Assignment
from tasks.states import AssignmentState

SEEN_EVERY = timedelta(seconds=5)
"""A poll is written no more often than this."""
UNSURE = timedelta(seconds=20)
"""After so long without a poll, the others are told that the connection may be interrupted."""
LOST = timedelta(seconds=90)
"""After so long, the others may end the work or find somebody else (ParlAI waits about 80 s for a reconnection)."""
STOPPED = "stopped"
"""The reason recorded with the assignments of work that a flag has ended; the same for everybody."""
CALLED_BACK = timedelta(hours=1)
"""For so long, a person whose partner has left is offered their old place in line."""


@dataclass(frozen=True)
class Presence:
    """`here`, `unsure`, `lost`, `gone` (a partner has left, and the work is over) or `stopped` (a flag has ended it for
    everybody); and how long they are away.
    """

    state: str
    away: timedelta = timedelta()


def note(held: Assignment, *, now: datetime) -> None:
    """The person's page has polled."""
    if held.seen_at is None or now - held.seen_at >= SEEN_EVERY:
        Assignment.objects.filter(pk=held.pk, state=AssignmentState.LEASED).update(seen_at=now)
        held.seen_at = now


def of_partners(held: Assignment, *, now: datetime) -> Presence | None:
    """The presence of whoever has been away longest; None if the work is over for another reason, or has one seat."""
    if held.state != AssignmentState.LEASED:
        return Presence("gone") if partner_left(held) else Presence("stopped") if stopped(held) else None
    partners = leases.leased_seats(held)[1:]
    if not partners:
        return None
    away = now - min(last_sign(row) for row in partners)
    return Presence("lost" if away >= LOST else "unsure" if away >= UNSURE else "here", away)


def last_sign(row: Assignment) -> datetime:
    """The last poll, or the last answer (a page without scripts does not poll), or else the beginning."""
    said = Response.objects.filter(annotation=row.annotation_id, author=row.annotator_id).aggregate(
        at=Max("created_at")
    )["at"]
    return max(at for at in (row.seen_at, said, row.claimed_at) if at is not None)


def partner_left(held: Assignment) -> bool:
    """Whether this assignment was ended by a partner who left."""
    return _returned(held, "partner_left")


def stopped(held: Assignment) -> bool:
    """Whether this assignment was ended, with those of all partners, by a flag; it doesn't say whose."""
    return _returned(held, STOPPED)


def _returned(held: Assignment, reason: str) -> bool:
    if held.state != AssignmentState.RETURNED:
        return ""
    rows = Event.objects.filter(subject=events.name(held), kind=f"assignment.{AssignmentState.RETURNED}")
    return any(event.data.get("reason") == reason for event in rows)
