"""Go on alone after waiting in vain: leave the lobby for the activity for one person on training items."""

from __future__ import annotations

from datetime import datetime, timedelta

from annotation.errors import NotEligible
from annotation.models import User
from tasks import claiming
from tasks.eligibility import why_not_claim
from tasks.models import Assignment, Ticket
from tasks.no_work import NoWork
from tasks.pairs import lobby, matching
from tasks.states import TicketState

AFTER = timedelta(seconds=60)
"""How long a person waits before that is offered (protocols: 60 s)."""


def why_not_alone(ticket: Ticket, *, now: datetime) -> str | None:
    """Why this person may not go on alone now, or None: `not_offered`, `not_in_line`, `not_yet`, or a claim's reason.

    That there is something to do alone is only known from a claim.
    """
    activity = lobby.lobby_activity(ticket.project, ticket.activity)
    if not activity.alone or not matching.open_queues(ticket.project, activity.alone):
        return "not_offered"
    if ticket.state != TicketState.WAITING:
        return "not_in_line"
    if ticket.waited(now) < AFTER:
        return "not_yet"
    return why_not_claim(ticket.annotator, ticket.project, activity.alone)


def go_alone(ticket: Ticket, *, by: User, now: datetime) -> Assignment | NoWork:
    """Leave the line and claim the activity for one person; NotEligible with the reason of `why_not_alone`.

    If there is nothing to claim, the person stays in line. The claim comes first: a partner who was found in the same
    moment is back in line at once.
    """
    refused = why_not_alone(ticket, now=now)
    if refused:
        raise NotEligible(reason=refused)
    activity = lobby.lobby_activity(ticket.project, ticket.activity).alone
    claimed = claiming.claim(ticket.project, activity, by=by, now=now)
    if isinstance(claimed, Assignment):
        lobby.leave(ticket, by=by, now=now, reason="alone")
    return claimed
