"""Pauses of shared work, in which none of its clocks run: a lead pauses a project, or the server was down.

A pause is a row of its own, and whoever measures a time leaves the pauses out of it. So no row of the work is touched,
and a pause ends by itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Max

from annotation import events, registry
from annotation.errors import NotFound
from annotation.models import Project, User
from tasks.engine import pokes
from tasks.engine.transactions import service
from tasks.models import Assignment, Pause, Ticket
from tasks.models.states import IN_LOBBY, AssignmentState

LONGEST = timedelta(minutes=15)
"""A lead's pause ends by itself after so long."""
NOTICED = timedelta(seconds=15)
"""The server was down if for so long no page could say that its person is there: pages say so every 5 s."""
OUTAGE = timedelta(hours=1)
"""After a longer outage nobody sits there and waits; then the clocks have run."""


def ends_at(project: int, *, now: datetime) -> datetime | None:
    """When the pause that the project (its key) is in ends by itself; None if it is in none."""
    ends: datetime | None = Pause.objects.filter(project=project, ends_at__gt=now).aggregate(at=Max("ends_at"))["at"]
    return ends


def can_pause(project: Project) -> bool:
    """Whether there is shared work in the project."""
    return any(len(activity.seats) > 1 for activity in registry.get(project.protocol).activities)


@service
def begin(project: Project, *, by: User, now: datetime) -> datetime:
    """Pause the shared work of a project for at most LONGEST, and tell everybody; returns when it ends. Idempotent.

    Nobody is offered a partner meanwhile. What people write and send is taken as ever. NotFound without shared work.
    """
    _lock(project)
    until = ends_at(project.pk, now=now)
    if until is None:
        until = now + LONGEST
        Pause.objects.create(project=project, began_at=now, ends_at=until)
        events.record("project.paused", project, by=by, now=now, until=until.isoformat())
        _tell_everybody(project)
    return until


@service
def end(project: Project, *, by: User, now: datetime) -> None:
    """End the pause of a project before its time, and tell everybody; nothing happens if it has ended."""
    _lock(project)
    if Pause.objects.filter(project=project, ends_at__gt=now).update(ends_at=now):
        events.record("project.resumed", project, by=by, now=now)
        _tell_everybody(project)


def _lock(project: Project) -> None:
    """The lock of the project's lobbies: nobody is found for anybody while a pause begins."""
    if not can_pause(project):
        raise NotFound(f"Nobody works together in {project.slug}.")
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def _tell_everybody(project: Project) -> None:
    held = Assignment.objects.filter(task__queue__project=project, state=AssignmentState.LEASED)
    for annotation in held.exclude(seat=pokes.ALONE).values_list("annotation", flat=True).distinct():
        pokes.everybody_at(annotation)
    waiting = Ticket.objects.filter(project=project, state__in=IN_LOBBY)
    for activity in waiting.order_by("activity").values_list("activity", flat=True).distinct():
        pokes.everybody_in(project.pk, activity)


def note_outage(*, now: datetime) -> bool:
    """The server starts: if it was down, that was a pause in all projects. Returns whether it was.

    No page could say that its person is there: without this, everybody would be lost to everybody else at the first
    poll. Where other web processes have gone on, the last sign of a page is a few seconds old, and nothing happens.
    """
    held = Assignment.objects.filter(state=AssignmentState.LEASED).exclude(seat=pokes.ALONE)
    of_work = held.aggregate(seen=Max("seen_at"), claimed=Max("claimed_at"))
    of_lobbies = Ticket.objects.filter(state__in=IN_LOBBY).aggregate(seen=Max("seen_at"))
    signs = [at for at in (*of_work.values(), *of_lobbies.values()) if at is not None]
    if not signs or not NOTICED <= now - max(signs) <= OUTAGE:
        return False
    Pause.objects.create(project=None, began_at=max(signs), ends_at=now)
    return True
