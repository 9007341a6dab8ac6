"""The page of a lobby: who is there, how long one has waited, the ready check, and what else one can do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation import registry
from annotation.errors import NotEligible
from annotation.models import Project, User
from annotation.protocol import Activity
from frontend.requests import AuthedRequest
from frontend.work.beginning import no_work, offers
from frontend.work.csp import allow_socket
from frontend.work.forms import tokens
from frontend.work.messages import NOT_ALONE, NOT_IN_LINE, OFFER_IS_OVER, SEATED
from tasks.engine.no_work import NoWork
from tasks.models import Assignment, Ticket
from tasks.models.states import IN_LOBBY, AssignmentState, TicketState
from tasks.pairs import lobby, matching, pauses, waiting

MEANWHILE = 3
"""How much other work the page offers to who waits."""
PART = "X-Part"
"""The script asks for the part that changes with this request header."""
IDLE = "X-Idle"
"""The script says in this request header how many seconds ago the page had its last input."""
GO = "X-Go"
"""The response header that sends the script to the person's work."""
ENDED = {
    "absent": _("This page was closed or asleep for a while, so you lost your place. You can come back at any time."),
    "silent": _("You did not say that you were still here, so you left the line. You can come back at any time."),
    "missed": _("Partners were found for you twice and heard nothing from you. Come back when you have a moment."),
    "nothing_left": _("While you waited, others took the last of this work."),
    "elsewhere": _("You went on to wait for a partner in other work."),
}
"""What a visit that has ended was ended by, unless the person left by a button."""


@dataclass(frozen=True)
class LobbyPage:
    """Everything that the page shows of a lobby: only numbers about other people."""

    state: str
    ended: Any
    waited: str
    seconds: int
    asked: bool
    left: int
    most: int
    confirmed: bool
    missed: bool
    here: int
    working: int
    before: int
    typical: str
    may_go_alone: bool
    alone: str
    alone_later: bool
    parts: list[tuple[str, str, bool]]
    paused_until: datetime | None

    @property
    def version(self) -> str:
        """Changes when there is more to replace on the page than numbers."""
        alone = f"{self.may_go_alone} {self.alone_later}"
        return f"{self.state} {self.asked} {self.confirmed} {self.missed} {alone} {self.paused_until}"

    @property
    def calls(self) -> bool:
        """Whether the person is to say that they are here."""
        return self.asked or (self.state == TicketState.OFFERED and not self.confirmed)


def lobby_of(protocol: str, activity: str) -> str:
    """The key of the activity whose lobby leads to this one (itself, or the one it is the way out of); "" if none."""
    for each in registry.get(protocol).activities:
        if each.picks == "pair" and activity in (each.key, each.alone):
            return each.key
    return ""


def page(request: AuthedRequest, project: Project, activity: str, *, now: datetime) -> HttpResponse:
    """The whole page, or the part that changes; who has been seated is led to their work."""
    wanted = lobby.lobby_activity(project, activity)
    ticket = lobby.last_ticket(project, activity, by=request.user)
    ticket = lobby.poll(ticket, now=now, idle=_idle(request)) if ticket else None
    if ticket is None or ticket.state not in IN_LOBBY:
        refused = matching.why_not_enter(request.user, project, activity)
        if refused:
            return _refused(request, project, activity, refused)
    context = {
        "shown": lobby_page(project, wanted, ticket, by=request.user, now=now),
        "project": project.title,
        "slug": project.slug,
        "activity": activity,
        "title": gettext(wanted.title),
        "description": gettext(wanted.description),
        "meanwhile": [] if PART in request.headers else _meanwhile(request.user),
        "socket_url": reverse("socket_of_lobby", "frontend.sockets.admission", args=[project.slug, activity]),
    }
    response = render(request, f"work/lobby.html{'#lobby' if PART in request.headers else ''}", context)
    return allow_socket(request, response)


def _meanwhile(user: User) -> list[offers.WorkOffer]:
    """What else the person can begin while they wait, in no lobby; at most MEANWHILE of them."""
    return [row for row in offers.offers_for(user) if not row["closed"] and not row["pairs"]][:MEANWHILE]


def _idle(request: AuthedRequest) -> timedelta | None:
    """For how long the page has had no input, as its script says."""
    text = request.headers.get(IDLE, "")
    return timedelta(seconds=tokens.whole_number(text)) if text else None


def enter(request: AuthedRequest, project: Project, activity: str, *, now: datetime) -> HttpResponse:
    """Get in line and show the lobby, or say why not."""
    try:
        entered = lobby.enter(project, activity, by=request.user, now=now)
    except NotEligible as why:
        return _refused(request, project, activity, why.reason)
    if isinstance(entered, NoWork):
        return no_work.page(request, project, activity, entered)
    return redirect("lobby", project.slug, activity)


def confirm(request: AuthedRequest, ticket: Ticket, *, now: datetime) -> HttpResponse:
    """The lobby, or the work that begins now; if the partner who was found has gone, it says so."""
    now_at = lobby.confirm(ticket, by=request.user, now=now)
    if "found" in request.POST and now_at.state == TicketState.WAITING and not now_at.misses:
        messages.info(request, OFFER_IS_OVER)
    seated = now_at.state == TicketState.SEATED
    return redirect("lobby", ticket.project.slug, ticket.activity) if seated else back(request, now_at)


def go_alone(request: AuthedRequest, ticket: Ticket, *, now: datetime) -> HttpResponse:
    """The work for one person, or the lobby again with the reason."""
    try:
        claimed = waiting.go_alone(ticket, by=request.user, now=now)
    except NotEligible:  # a partner was found in this moment, or the page is old
        if ticket.state == TicketState.WAITING:
            messages.info(request, NOT_ALONE)
        return back(request, ticket)
    if isinstance(claimed, NoWork):
        messages.info(request, _("There is nothing to do on your own now. You kept your place in line."))
        return redirect("lobby", ticket.project.slug, ticket.activity)
    return redirect("work", claimed.uuid)


def leave(request: AuthedRequest, ticket: Ticket, *, now: datetime) -> HttpResponse:
    """Home, where it says what had ended the visit before, or that a partner was found just then."""
    left = lobby.leave(ticket, by=request.user, now=now)
    if ticket.state not in IN_LOBBY or left.state == TicketState.SEATED:
        messages.info(request, _why_over(left))
    return redirect("home")


def back(request: AuthedRequest, ticket: Ticket) -> HttpResponse:
    """The lobby, or the work that has begun; the button of an old page says what has ended the visit."""
    if ticket.state not in IN_LOBBY and ticket.reason not in ENDED:
        messages.info(request, _why_over(ticket))
    return redirect("lobby", ticket.project.slug, ticket.activity)


def _why_over(ticket: Ticket) -> Any:
    return SEATED if ticket.state == TicketState.SEATED else ENDED.get(ticket.reason, NOT_IN_LINE)


def _refused(request: AuthedRequest, project: Project, activity: str, reason: str) -> HttpResponse:
    if reason == "consent_missing":
        return redirect(f"{reverse('consent', args=[project.slug])}?to={activity}")
    if reason == "at_work":
        return _to_work(request, project, activity)
    return no_work.not_eligible(request, project, activity, reason)


def _to_work(request: AuthedRequest, project: Project, activity: str) -> HttpResponse:
    """On to the work that the person holds."""
    url = reverse("work", args=[held_work(request.user, project, activity).uuid])
    return HttpResponse(headers={GO: url}) if PART in request.headers else redirect(url)


def held_work(user: User, project: Project, activity: str) -> Assignment:
    """The work of the activity that the person holds."""
    mine = Assignment.objects.filter(annotator=user, task__queue__project=project, task__activity=activity)
    return mine.get(state=AssignmentState.LEASED)


def lobby_page(project: Project, activity: Activity, ticket: Ticket | None, *, by: User, now: datetime) -> LobbyPage:
    """The lobby as somebody sees it whose latest visit is that of the ticket."""
    inside = ticket is not None and ticket.state in IN_LOBBY
    waited = ticket.waited(now) if ticket and inside else timedelta()
    typical = waiting.typical_wait(project, activity.key, now=now)
    asked = bool(ticket and ticket.state == TicketState.WAITING and lobby.idle(ticket, now=now) >= lobby.SILENT)
    left = _time_to_answer(ticket, now=now) if ticket and inside else timedelta()
    refused = waiting.why_not_alone(ticket, now=now) if ticket and inside else "not_in_line"
    waits_for_it = refused == "not_yet" or not inside
    return LobbyPage(
        state=ticket.state if ticket and inside else "",
        ended=ENDED.get(ticket.reason, "") if ticket and not inside else "",
        waited=_clock(waited),
        seconds=int(waited.total_seconds()),
        asked=asked,
        left=max(0, round(left.total_seconds())),
        most=round((lobby.ANSWERED if asked else matching.READY).total_seconds()),
        confirmed=bool(ticket and ticket.confirmed_at),
        missed=bool(ticket and inside and ticket.misses and ticket.state == TicketState.WAITING),
        here=waiting.people_here(project, activity.key, now=now),
        working=waiting.people_at_work(project, activity.key),
        before=waiting.people_before(ticket, now=now) if ticket and inside else 0,
        typical=_clock(typical) if typical is not None else "",
        may_go_alone=refused is None,
        alone=gettext(registry.get(project.protocol).activity(activity.alone).description) if refused is None else "",
        alone_later=waits_for_it and waiting.why_not_offered(project, activity, by) is None,
        parts=_parts(activity, ticket.prefers) if ticket and ticket.state == TicketState.WAITING else [],
        paused_until=pauses.ends_at(project.pk, now=now),
    )


def _parts(activity: Activity, prefers: str) -> list[tuple[str, str, bool]]:
    """The seats that one may prefer, and either: value, title, and whether it is preferred now."""
    titles = [(seat, gettext(activity.seat_title(seat))) for seat in activity.seats]
    return [(seat, title, seat == prefers) for seat, title in [*titles, ("", gettext("Either"))]]


def _time_to_answer(ticket: Ticket, *, now: datetime) -> timedelta:
    """How long the person still has to say that they are here, in the ready check or in line."""
    if ticket.offered_at:
        return ticket.offered_at + matching.READY - now
    return lobby.SILENT + lobby.ANSWERED - lobby.idle(ticket, now=now)


def _clock(lasted: timedelta) -> str:
    """Minutes and seconds: 1:12."""
    minutes, seconds = divmod(round(lasted.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"
