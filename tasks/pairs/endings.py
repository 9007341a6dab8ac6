"""What a person may do whose partner is lost, quiet or gone: end the work, or find somebody else in their old place."""

from __future__ import annotations

from datetime import datetime

from annotation.errors import NotEligible
from annotation.models import User
from tasks.engine import assignments, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.engine.transactions import service
from tasks.models import Assignment, Ticket
from tasks.models.states import AssignmentState, PartnerState
from tasks.pairs import leaving, lobby, presence


@service
def end(held: Assignment, *, by: User, now: datetime) -> None:
    """End work whose partner is lost or quiet: what was said is kept, and the item is free for others. Idempotent.

    NotEligible (`partner_is_here`) if the partner has come back in the meantime.
    """
    assignments.lock(held)
    if held.state != AssignmentState.LEASED:
        return
    reason = leaving.why_end(held, now=now)
    if not reason:
        raise NotEligible(reason="partner_is_here")
    skip_and_return.give_back_one(held, by=by, now=now, reason=reason, counts=True)


def why_not_find_another(held: Assignment, *, now: datetime) -> str | None:
    """Why this person may not go back to their old place in line, or None: `partner_is_here`, or `too_late`."""
    if held.state == AssignmentState.LEASED:
        return None if leaving.why_end(held, now=now) else "partner_is_here"
    found = presence.of_partners(held, now=now)
    if found is None or found.state == PartnerState.STOPPED or held.closed_at is None:
        return "too_late"
    if now - held.closed_at > presence.CALLED_BACK:
        return "too_late"
    return None


def find_another(held: Assignment, *, by: User, now: datetime) -> Ticket | NoWork:
    """Go back to the lobby, in the place in line from which the person was seated; ends the work if it has not ended.

    NotEligible with the reason of `why_not_find_another`, or of the lobby.
    """
    refused = why_not_find_another(held, now=now)
    if refused:
        raise NotEligible(reason=refused)
    end(held, by=by, now=now)
    seated = Ticket.objects.filter(assignment=held).first()
    since = seated.in_line_since if seated else held.claimed_at
    return lobby.enter(held.task.item.project, held.task.activity, by=by, now=now, since=since)
