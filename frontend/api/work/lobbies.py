"""The lobby by script: polling it keeps the place in line, as an open page does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from annotation.errors import NotEligible
from annotation.models import Project, User
from frontend.api.work.offering import in_words, none_left
from frontend.work import lobby as page
from frontend.work.holds.assignment_hold import AssignmentHold
from frontend.work.partner import REFUSED
from tasks.engine.eligibility import refusal_for
from tasks.engine.no_work import NoWork
from tasks.models import Ticket
from tasks.models.states import IN_LOBBY
from tasks.pairs import leaving, lobby, matching, waiting

AT_WORK = "at_work"
"""Why somebody can’t enter who holds such work already."""


def read(project: Project, activity: str, *, by: User, idle: float | None, now: datetime) -> dict[str, Any]:
    """The lobby as it is for this person. `idle`: seconds since somebody used the interface, if it is one."""
    lobby.lobby_activity(project, activity)
    ticket = lobby.last_ticket(project, activity, by=by)
    if ticket is not None:
        ticket = lobby.poll(ticket, now=now, idle=None if idle is None else timedelta(seconds=idle))
    return _lobby_as_json(project, activity, ticket, by=by, now=now)


def enter(project: Project, activity: str, *, by: User, part: str | None, now: datetime) -> dict[str, Any]:
    """Get in line; ConsentMissing, or NotEligible with the reasons of the page."""
    nothing = _entered(lambda: lobby.enter(project, activity, by=by, now=now), by, project, activity)
    ticket = lobby.last_ticket(project, activity, by=by)
    if part is not None and ticket is not None:
        lobby.prefer(ticket, part, by=by, now=now)
        ticket.prefers = part
    return _lobby_as_json(project, activity, ticket, by=by, now=now) | {"why_none": nothing}


def prefer(ticket: Ticket, part: str, *, by: User, now: datetime) -> dict[str, Any]:
    """Say which seat one would rather have, "" for either; NotFound without such a seat."""
    lobby.prefer(ticket, part, by=by, now=now)
    last = lobby.last_ticket(ticket.project, ticket.activity, by=by)
    return _lobby_as_json(ticket.project, ticket.activity, last, by=by, now=now)


def find_another(held: AssignmentHold, *, by: User, now: datetime) -> dict[str, Any]:
    """Go back to the lobby from work whose partner is lost, quiet or gone; NotEligible with the page's sentence."""
    project, activity = held.project, held.assignment.task.activity
    nothing = _entered(lambda: leaving.find_another(held.assignment, by=by, now=now), by, project, activity)
    ticket = lobby.last_ticket(project, activity, by=by)
    return _lobby_as_json(project, activity, ticket, by=by, now=now) | {"why_none": nothing}


def _entered(enter: Callable[[], Ticket | NoWork], by: User, project: Project, activity: str) -> dict[str, Any] | None:
    """Why there is nothing to get in line for, or None; no refusal if the person holds such work already."""
    try:
        found = enter()
    except NotEligible as why:
        if why.reason == AT_WORK:
            return None
        if said := REFUSED.get(why.reason):
            raise NotEligible(str(said), reason=why.reason) from None
        raise in_words(why, by, project, activity) from None
    return none_left(project, activity, found) if isinstance(found, NoWork) else None


def say_here(ticket: Ticket, *, by: User, now: datetime) -> dict[str, Any]:
    """Say that one is still there, or ready; the last one to say so begins the work for all."""
    return _lobby_as_json(ticket.project, ticket.activity, lobby.confirm(ticket, by=by, now=now), by=by, now=now)


def go_alone(ticket: Ticket, *, by: User, now: datetime) -> dict[str, Any]:
    """Begin the work for one person; NotEligible with the reason of `alone.why_not_alone`."""
    found = waiting.go_alone(ticket, by=by, now=now)
    left = lobby.last_ticket(ticket.project, ticket.activity, by=by)
    shown = _lobby_as_json(ticket.project, ticket.activity, left, by=by, now=now)
    if isinstance(found, NoWork):
        return shown | {"why_none": none_left(ticket.project, ticket.activity, found)}
    return shown | {"work": found.uuid}


def leave(ticket: Ticket, *, by: User, now: datetime) -> dict[str, Any]:
    """Leave the line."""
    return _lobby_as_json(ticket.project, ticket.activity, lobby.leave(ticket, by=by, now=now), by=by, now=now)


def _lobby_as_json(
    project: Project, activity: str, ticket: Ticket | None, *, by: User, now: datetime
) -> dict[str, Any]:
    """As its page shows it; NotEligible for whoever could not enter it."""
    work = None
    if ticket is None or ticket.state not in IN_LOBBY:
        refused = matching.why_not_enter(by, project, activity)
        if refused == AT_WORK:
            work = page.held_work(by, project, activity).uuid
        elif refused:
            raise in_words(refusal_for(refused), by, project, activity)
    found = page.lobby_page(project, lobby.lobby_activity(project, activity), ticket, by=by, now=now)
    return {
        "state": found.state or ("seated" if work else "outside"),
        "work": work,
        "ended": str(found.ended),
        "waited_seconds": found.seconds,
        "asked": found.asked,
        "answer_within": found.left if found.calls else None,
        "confirmed": found.confirmed,
        "missed": found.missed,
        "people_here": found.here,
        "people_working": found.working,
        "people_before": found.before,
        "may_go_alone": found.may_go_alone,
        "parts": [{"seat": seat, "title": title, "preferred": chosen} for seat, title, chosen in found.parts if seat],
        "paused_until": found.paused_until,
        "why_none": None,
    }
