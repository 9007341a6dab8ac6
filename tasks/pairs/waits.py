"""How many people are in a lobby, and how long people have waited there until they were seated."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import median, quantiles
from typing import NamedTuple

from annotation.models import Project
from tasks.models import Assignment, Ticket
from tasks.models.states import IN_LOBBY, AssignmentState, TicketState
from tasks.pairs.lobby import ABSENT

WEEK = timedelta(days=7)
LATEST = 50
"""The typical wait is that of so many people who were seated last."""


def people_here(project: Project, activity: str, *, now: datetime) -> int:
    """How many people are in the lobby now, those in a ready check included."""
    rows = Ticket.objects.filter(project=project, activity=activity, state__in=IN_LOBBY)
    return rows.filter(seen_at__gt=now - ABSENT).count()


def people_before(ticket: Ticket, *, now: datetime) -> int:
    """How many people are before this one in line."""
    rows = Ticket.objects.filter(project=ticket.project_id, activity=ticket.activity, state__in=IN_LOBBY)
    return rows.filter(seen_at__gt=now - ABSENT, in_line_since__lt=ticket.in_line_since).count()


def people_at_work(project: Project, activity: str) -> int:
    """How many people hold work of the activity now, and may come back when it is done."""
    held = Assignment.objects.filter(task__queue__project=project, task__activity=activity)
    return held.filter(state=AssignmentState.LEASED).values("annotator").distinct().count()


class Waits(NamedTuple):
    """Half of the people who were seated waited no longer than `median`, nine in ten no longer than `p90`; seconds."""

    median: float
    p90: float


def waits_of(project: Project, activity: str) -> Waits | None:
    """The waits of everybody who was ever seated from this lobby; None if nobody was."""
    seated = Ticket.objects.filter(project=project, activity=activity, state=TicketState.SEATED)
    rows = seated.values_list("entered_at", "ended_at")
    seconds = [(end - begin).total_seconds() for begin, end in rows if end is not None]
    if not seconds:
        return None
    p90 = quantiles(seconds, n=10, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    return Waits(median(seconds), p90)


def typical_wait(project: Project, activity: str, *, now: datetime) -> timedelta | None:
    """The median wait of those who were seated last, within a week; None if nobody was."""
    seated = Ticket.objects.filter(project=project, activity=activity, state=TicketState.SEATED)
    lately = seated.filter(ended_at__gt=now - WEEK).order_by("-ended_at")
    waits = [ticket.waited(now).total_seconds() for ticket in lately[:LATEST]]
    return timedelta(seconds=median(waits)) if waits else None
