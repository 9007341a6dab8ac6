"""What a person sees of a partner's presence, and what follows from what they then choose."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from annotation.errors import NotEligible
from frontend.requests import AuthedRequest
from frontend.work import chat, lobby, no_work
from frontend.work.messages import COUNTS, PAID
from frontend.work.revoked import pays
from tasks.models import Assignment
from tasks.no_work import NoWork
from tasks.pairs import endings, pauses, presence, side_chat, turn_time
from tasks.states import PARTNER_MOVES, AssignmentState, PartnerState

ENDED = _("You have ended this without your partner. What you both sent is kept.")


def page(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """The part for the work page, whose poll says that this person is here; or the page after a partner has left."""
    presence.note(assignment, now=now)
    found = presence.of_partners(assignment, now=now)
    gone = found is not None and not PARTNER_MOVES[found.state]
    part = lobby.PART in request.headers
    if not part and not gone:
        return redirect("work", assignment.uuid) if found else redirect("home")
    turn = turn_time.of(assignment, now=now)
    under_way = assignment.state == AssignmentState.LEASED
    context = {
        "paused_until": pauses.ends_at(assignment.task.item.project_id, now=now) if under_way else None,
        "state": found.state if found else "",
        "signing_in": found is not None and found.signing_in and found.state != PartnerState.LOST,
        "minutes": _minutes(found.away) if found else 0,
        "turn": turn.state if turn else "",
        "idle": _minutes(turn.idle) if turn else 0,
        "id": assignment.uuid,
        "project": assignment.task.item.project.title,
        "finds_another": endings.why_not_find_another(assignment, now=now) is None,
        "counts": PAID if pays(assignment) else COUNTS,
    }
    response = render(request, f"work/partner_left.html{'#partner' if part else ''}", context)
    response[chat.NEWEST] = str(side_chat.latest(assignment.annotation))
    return response


def _minutes(lasted: timedelta) -> int:
    return max(1, round(lasted.total_seconds() / 60))


def more_time(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """Back to the work; if it is too early or too late to ask for more time, nothing happens."""
    with suppress(NotEligible):
        turn_time.ask_for_more(assignment, by=request.user, now=now)
    return redirect("work", assignment.uuid)


def end(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """Home, or back to the work if the partner has come back."""
    try:
        endings.end(assignment, by=request.user, now=now)
    except NotEligible:
        return redirect("work", assignment.uuid)
    messages.success(request, ENDED)
    return redirect("home")


def another(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """The lobby; or the work, if the partner has come back; or why there is nothing."""
    project, activity = assignment.task.item.project, assignment.task.activity
    try:
        found = endings.find_another(assignment, by=request.user, now=now)
    except NotEligible:
        return redirect("lobby", project.slug, activity)
    if isinstance(found, NoWork):
        return no_work.page(request, project, activity, found)
    return redirect("lobby", project.slug, activity)
