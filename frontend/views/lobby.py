"""The lobby: show it (which also says that the person is still there), enter it, say that one is here, go on, leave."""

from __future__ import annotations

from django.http import HttpResponse

from annotation import clock
from frontend import access
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.work import lobby
from tasks.pairs import lobby as lobbies


@page_view
def show(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """The lobby as it now is for this person; its script fetches the part that changes every few seconds."""
    project = access.member_project(request.user, slug)
    return lobby.page(request, project, activity, now=clock.now())


@action_view
def enter(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Get in line, or say why that is not possible."""
    project = access.member_project(request.user, slug)
    return lobby.enter(request, project, activity, now=clock.now())


@action_view
def here(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Say "I'm here" in the ready check."""
    ticket = access.own_ticket(request.user, access.member_project(request.user, slug), activity)
    return lobby.confirm(request, ticket, now=clock.now())


@action_view
def prefer(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Say which part one would rather have."""
    ticket = access.own_ticket(request.user, access.member_project(request.user, slug), activity)
    lobbies.prefer(ticket, request.POST.get("part", ""), by=request.user, now=clock.now())
    return lobby.back(request, ticket)


@action_view
def alone(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Go on without a partner."""
    ticket = access.own_ticket(request.user, access.member_project(request.user, slug), activity)
    return lobby.go_alone(request, ticket, now=clock.now())


@action_view
def leave(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Leave the lobby, for the home page."""
    ticket = access.own_ticket(request.user, access.member_project(request.user, slug), activity)
    return lobby.leave(request, ticket, now=clock.now())
