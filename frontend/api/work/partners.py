"""The partners of shared work: how they are, and leaving them; who does so again within a day says why, as on pages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from annotation.engine.work import Work
from annotation.errors import NotEligible, PayloadInvalid, Problem
from annotation.models import User
from frontend.work import flagging
from frontend.work.holds.assignment_hold import AssignmentHold
from frontend.work.messages import NOT_NEEDED
from frontend.work.partner import REFUSED, whole_minutes
from tasks.models.states import AssignmentState
from tasks.pairs import leaving, pauses, presence, turn_time


def partner_of(held: AssignmentHold, work: Work, *, now: datetime) -> dict[str, Any] | None:
    """How the partner is, and how long a turn takes, as on the page; None for work that one person does alone.

    Reading it is the sign that this person is still there.
    """
    if len(work.activity.seats) == 1:
        return None
    assignment = held.assignment
    presence.note(assignment, now=now)
    found, turn = presence.of_partners(assignment, now=now), turn_time.turn_under_way(assignment, now=now)
    under_way = assignment.state == AssignmentState.LEASED
    return {
        "state": found.state if found else "",
        "signing_in": found is not None and found.signing_in,
        "away_minutes": whole_minutes(found.away) if found and found.away else 0,
        "turn": turn.state if turn else "",
        "idle_minutes": whole_minutes(turn.idle) if turn and turn.idle else 0,
        "begun": turn is not None and turn.begun,
        "finds_another": leaving.why_not_find_another(assignment, now=now) is None,
        "flags": [
            {"reason": each.key, "title": each.title, "stages": each.stages.split()}
            for each in flagging.reasons_of(work.activity)
        ],
        "paused_until": pauses.ends_at(held.project.pk, now=now) if under_way else None,
    }


def check_reason(held: AssignmentHold, body: Mapping[str, str], *, now: datetime) -> None:
    """PayloadInvalid if a reason has to be given and none was."""
    if body["reason"] or body["text"].strip() or not leaving.times_left(held.assignment, now=now):
        return
    raise PayloadInvalid((Problem("reason", "required", _("Say why you leave your partner again.")),))


def end(held: AssignmentHold, *, by: User, now: datetime) -> None:
    """End work whose partner is lost or quiet; NotEligible if they are there."""
    try:
        leaving.end(held.assignment, by=by, now=now)
    except NotEligible as why:
        raise NotEligible(str(REFUSED.get(why.reason, "")), reason=why.reason) from None


def ask_for_more_time(held: AssignmentHold, *, by: User, now: datetime) -> None:
    """Tell the partner that one needs more time; NotEligible if that is not needed."""
    try:
        turn_time.ask_for_more(held.assignment, by=by, now=now)
    except NotEligible as why:
        raise NotEligible(str(NOT_NEEDED), reason=why.reason) from None
