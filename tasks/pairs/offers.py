"""Offers in a lobby: people who were found for each other have a while to say that they are here.

Call these under the lobby's lock (`tasks.pairs.lobby`).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation.models import Project
from tasks.engine import clocks, transitions
from tasks.models import Ticket
from tasks.models.states import TicketState
from tasks.pairs import pauses

READY = timedelta(seconds=20)
"""How long people who were found for each other have to say that they are here (protocols: 20 s ready check)."""
MISSES = 1
"""Who misses one offer more than this is removed."""
NONE = {"offer": None, "offered_at": None, "confirmed_at": None}
"""The columns of a ticket without an offer."""


def group_of(ticket: Ticket) -> list[Ticket]:
    """The tickets of the people who were found for each other, this one among them."""
    return list(Ticket.objects.filter(offer=ticket.offer).select_related("project", "annotator").order_by("pk"))


def end_overdue(project: Project, activity: str, *, now: datetime) -> None:
    """Who has said that they are here keeps their place; who has not goes to the end of the line, or out.

    In a pause all offers end, and everybody keeps their place.
    """
    paused = pauses.ends_at(project.pk, now=now) is not None
    offered = Ticket.objects.filter(project=project, activity=activity, state=TicketState.OFFERED)
    overdue = offered if paused else offered.filter(offered_at__lte=now - READY)
    for ticket in overdue.select_related("project", "annotator").order_by("pk"):
        if paused or ticket.confirmed_at or not _ran_out(ticket, now=now):
            back_in_line(ticket, now=now)
            continue
        misses = ticket.misses + 1
        transitions.ticket(ticket, TicketState.MISSED, by=None, now=now, misses=misses, **NONE)
        if misses > MISSES:
            transitions.ticket(ticket, TicketState.REMOVED, by=None, now=now, reason="missed", ended_at=now)
        else:
            transitions.ticket(ticket, TicketState.WAITING, by=None, now=now, in_line_since=now)


def _ran_out(ticket: Ticket, *, now: datetime) -> bool:
    """Whether an offer has lasted its time, leaving out pauses: if the server was down, nobody could answer."""
    since = ticket.offered_at or now
    return clocks.clock(ticket.project_id, since=since).passed(since, now) >= READY


def back_in_line(ticket: Ticket, *, now: datetime) -> None:
    """The offer is over, and the person keeps their place."""
    transitions.ticket(ticket, TicketState.WAITING, by=None, now=now, **NONE)
