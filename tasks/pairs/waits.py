"""How many people are in a lobby, and how long people have waited there until they were seated."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import median

from annotation.models import Project
from tasks.models import Ticket
from tasks.pairs.lobby import ABSENT
from tasks.states import IN_LOBBY, TicketState

WEEK = timedelta(days=7)
LATEST = 50
"""The typical wait is that of so many people who were seated last."""


def people_here(project: Project, activity: str, *, now: datetime) -> int:
    """How many people are in the lobby now, those in a ready check included."""
    rows = Ticket.objects.filter(project=project, activity=activity, state__in=IN_LOBBY)
    return rows.filter(seen_at__gt=now - ABSENT).count()


def typical_wait(project: Project, activity: str, *, now: datetime) -> timedelta | None:
    """The median wait of those who were seated last, within a week; None if nobody was."""
    seated = Ticket.objects.filter(project=project, activity=activity, state=TicketState.SEATED)
    lately = seated.filter(ended_at__gt=now - WEEK).order_by("-ended_at")
    waits = [ticket.waited(now).total_seconds() for ticket in lately[:LATEST]]
    return timedelta(seconds=median(waits)) if waits else None
