"""What a person sees of a partner's presence, and what follows from what they then choose.

Somebody who leaves a partner again within a day is asked why they do, before they leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.errors import NotEligible
from annotation.models import User
from frontend.middleware.session_expired import is_by_script
from frontend.requests import AuthedRequest
from frontend.work import chat, lobby
from frontend.work.beginning import no_work
from frontend.work.messages import COUNTS, ENOUGH, NOT_NEEDED, PAID, PARTNER_IS_BACK, PLACE_IS_GONE
from frontend.work.revoked import pays
from tasks.engine.no_work import NoWork
from tasks.models import Assignment
from tasks.models.states import PARTNER_MOVES, AssignmentState, PartnerState
from tasks.pairs import leaving, pauses, presence, side_chat, turn_time

ENDED = _("You have ended this without your partner. What you both sent is kept.")
REFUSED = {"partner_is_here": PARTNER_IS_BACK, "too_late": PLACE_IS_GONE}
"""Why nobody else is looked for, unless the lobby says so."""
OVER = _("This has ended")
HOW_OVER: dict[str, tuple[Any, Any]] = {
    PartnerState.GONE: (_("Your partner has left"), _("You did nothing wrong. What you both sent is kept.")),
    PartnerState.ALL_GONE: (OVER, _("You and your partner were both away. What you both sent is kept.")),
    PartnerState.STOPPED: (
        OVER,
        _("It was ended early. What you both sent is kept, and a lead of the project looks at it."),
    ),
    "": (OVER, ENOUGH),
}
"""How shared work has ended, in a heading and a sentence; "" is work that counts as finished."""


@dataclass(frozen=True)
class EndedWork:
    """Shared work that ended while its person was away.

    `again`: the address by which they go back to their old place in line; "" if they can't.
    """

    project: str
    heading: str
    sentence: str
    counts: str
    again: str


def ended_work(person: User, *, now: datetime) -> list[EndedWork]:
    """What the person's home page says of shared work that ended while they were away, oldest first."""
    return [_ended(row, now=now) for row in presence.ended_while_away(person, now=now)]


def _ended(row: Assignment, *, now: datetime) -> EndedWork:
    partners = presence.of_partners(row, now=now)
    heading, sentence = HOW_OVER[partners.state if partners else ""]
    may = leaving.why_not_find_another(row, now=now) is None
    again = reverse("another_partner", args=[row.uuid]) if may else ""
    return EndedWork(row.task.item.project.title, str(heading), str(sentence), _counts(row), again)


def _counts(row: Assignment) -> str:
    return str(PAID if pays(row) else COUNTS)


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
    heading, sentence = HOW_OVER.get(found.state if found else "", ("", ""))
    context = {
        "heading": heading,
        "sentence": sentence,
        "paused_until": pauses.ends_at(assignment.task.item.project_id, now=now) if under_way else None,
        "state": found.state if found else "",
        "signing_in": found is not None and found.signing_in and found.state != PartnerState.LOST,
        "minutes": whole_minutes(found.away) if found else 0,
        "turn": turn.state if turn else "",
        "idle": whole_minutes(turn.idle) if turn else 0,
        "begun": turn is not None and turn.begun,
        "id": assignment.uuid,
        "project": assignment.task.item.project.title,
        "finds_another": leaving.why_not_find_another(assignment, now=now) is None,
        "counts": _counts(assignment),
    }
    response = render(request, f"work/partner_left.html{'#partner' if part else ''}", context)
    response[chat.NEWEST] = str(side_chat.latest(assignment.annotation))
    return response


def whole_minutes(lasted: timedelta) -> int:
    """How long that was, to say so: at least a minute."""
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


SERVICES = ("skip", "give_back")
"""The routes by which work is left; the page names the one that led to it in `by`."""


def page_to_say_why(request: AuthedRequest, assignment: Assignment, *, by: str, now: datetime) -> str:
    """The address of the page that asks; "" if a reason was sent, or none is asked for."""
    if request.POST.get("reason") or request.POST.get("text", "").strip():
        return ""
    asks = leaving.times_left(assignment, now=now)
    return f"{reverse('explain', args=[assignment.uuid])}?by={by}" if asks else ""


def say_why(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """The page that asks; the work, if there is nothing to ask."""
    times, by = leaving.times_left(assignment, now=now), request.GET.get("by", "")
    if not times:
        return redirect("work", assignment.uuid)
    context = {
        "times": times,
        "many": leaving.MANY,
        "reasons": leaving.LeaveReason.choices,
        "leave_url": reverse(by if by in SERVICES else "skip", args=[assignment.uuid]),
        "work_url": reverse("work", args=[assignment.uuid]),
        "project": assignment.task.item.project.title,
    }
    return render(request, "work/leaving.html", context)
