"""What a person sees of a partner's presence, and what follows from what they then choose."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from annotation.errors import NotEligible
from frontend.middleware.session_expired import is_by_script
from frontend.requests import AuthedRequest
from frontend.work import chat, lobby, no_work
from frontend.work.messages import COUNTS, NOT_NEEDED, PAID, PARTNER_IS_BACK, PLACE_IS_GONE
from frontend.work.revoked import pays
from tasks.engine.no_work import NoWork
from tasks.models import Assignment
from tasks.models.states import PARTNER_MOVES, AssignmentState, PartnerState
from tasks.pairs import leaving, pauses, presence, side_chat, turn_time

ENDED = _("You have ended this without your partner. What you both sent is kept.")
REFUSED = {"partner_is_here": PARTNER_IS_BACK, "too_late": PLACE_IS_GONE}
"""Why nobody else is looked for, unless the lobby says so."""


def page(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """The part for the work page, whose poll says that this person is here; or the page after a partner has left."""
    presence.note(assignment, now=now)
    found = presence.of_partners(assignment, now=now)
    gone = found is not None and not PARTNER_MOVES[found.state]
    part = lobby.PART in request.headers
    if not part and not gone:
        return redirect("work", assignment.uuid) if found else redirect("home")
    turn = turn_time.turn_under_way(assignment, now=now)
    under_way = assignment.state == AssignmentState.LEASED
    context = {
        "paused_until": pauses.ends_at(assignment.task.item.project_id, now=now) if under_way else None,
        "state": found.state if found else "",
        "signing_in": found is not None and found.signing_in and found.state != PartnerState.LOST,
        "minutes": _minutes(found.away) if found else 0,
        "turn": turn.state if turn else "",
        "idle": _minutes(turn.idle) if turn else 0,
        "begun": turn is not None and turn.begun,
        "id": assignment.uuid,
        "project": assignment.task.item.project.title,
        "finds_another": leaving.why_not_find_another(assignment, now=now) is None,
        "counts": PAID if pays(assignment) else COUNTS,
    }
    response = render(request, f"work/partner_left.html{'#partner' if part else ''}", context)
    response[chat.NEWEST] = str(side_chat.latest(assignment.annotation))
    return response


def _minutes(lasted: timedelta) -> int:
    return max(1, round(lasted.total_seconds() / 60))


def more_time(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """Back to the work; if it is too early or too late to ask for more time, it says so (to a script with 409)."""
    by_script, refused = is_by_script(request), False
    try:
        turn_time.ask_for_more(assignment, by=request.user, now=now)
    except NotEligible:
        refused = True
    if by_script:
        return HttpResponse(NOT_NEEDED if refused else "", status=409 if refused else 204)
    if refused:
        messages.info(request, NOT_NEEDED)
    return redirect("work", assignment.uuid)


def end(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """Home; or the work, if the partner has come back; or what else has ended it in the meantime."""
    if assignment.state != AssignmentState.LEASED and presence.why_over(assignment):
        return redirect("partner", assignment.uuid)
    try:
        leaving.end(assignment, by=request.user, now=now)
    except NotEligible:
        messages.info(request, PARTNER_IS_BACK)
        return redirect("work", assignment.uuid)
    messages.success(request, ENDED)
    return redirect("home")


def another(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """The lobby, which says why if the person can't enter it; or the work, if the partner has come back."""
    project, activity = assignment.task.item.project, assignment.task.activity
    try:
        found = leaving.find_another(assignment, by=request.user, now=now)
    except NotEligible as why:
        if said := REFUSED.get(why.reason):
            messages.info(request, said)
        return redirect("lobby", project.slug, activity)
    if isinstance(found, NoWork):
        return no_work.page(request, project, activity, found)
    return redirect("lobby", project.slug, activity)
