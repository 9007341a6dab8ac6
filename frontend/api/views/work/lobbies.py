"""Lobbies: wait there for a partner, by polling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Project, User
from frontend import access
from frontend.api.base import ApiView
from frontend.api.calls import change_call, serialized_answer
from frontend.api.serializers.lobbies import EnterSerializer, LobbySerializer, PreferSerializer
from frontend.api.serializers.work import NoFieldsSerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work import lobbies
from frontend.api.work.holding import scripted_project, shared_hold
from frontend.work.forms.tokens import whole_number
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks.models import Ticket

IDLE = [OpenApiParameter("idle", int, description="Seconds since somebody used the interface, if it is one.")]


def lobby_project(person: User, slug: str, _activity: str) -> Project:
    """A project in which you may work by script."""
    return scripted_project(person, slug)


def lobby_ticket(person: User, slug: str, activity: str) -> Ticket:
    """Your latest visit."""
    return access.own_ticket(person, scripted_project(person, slug), activity)


class LobbyView(HeldView):
    """A lobby. Read it every few seconds: whoever has not read it for 30 seconds loses their place."""

    def named(self, finder: Callable[..., Any] | None) -> list[Any]:
        """What both parts of the address name."""
        return ApiView.named(self, finder)

    @extend_schema(operation_id="read_lobby", parameters=IDLE, responses=LobbySerializer)
    def get(self, request: Request, slug: str, activity: str) -> Answer:
        """Read how your place in line is; `work` is set once it has begun."""
        project, text = scripted_project(self.person(), slug), request.query_params.get("idle", "")
        idle = float(whole_number(text)) if text else None
        found = lobbies.read(project, activity, by=self.person(), idle=idle, now=clock.now())
        return serialized_answer(LobbySerializer, found)

    @change_call("enter_lobby", LobbySerializer, finder=lobby_project, body=EnterSerializer)
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Get in line, or say which part you would rather have."""
        by, now = self.person(), clock.now()
        return lobbies.enter(project, self.kwargs["activity"], by=by, part=sent["part"], now=now)

    @change_call("leave_lobby", LobbySerializer, finder=lobby_ticket)
    def delete(self, ticket: Ticket) -> Any:
        """Leave the line."""
        return lobbies.leave(ticket, by=self.person(), now=clock.now())


class PartView(LobbyView):
    """Which part you would rather have."""

    http_method_names = ("post", "options")

    @change_call("prefer_part", LobbySerializer, finder=lobby_ticket, body=PreferSerializer)
    def post(self, ticket: Ticket, sent: dict[str, Any]) -> Any:
        """Say which part you would rather have; it stays so later. It changes nothing for whoever is not in line."""
        return lobbies.prefer(ticket, sent["part"], by=self.person(), now=clock.now())


class AnotherView(HeldView):
    """Shared work whose partner is lost or quiet, or has left within the last hour."""

    @change_call("find_another", LobbySerializer, finder=shared_hold, body=NoFieldsSerializer)
    def post(self, held: AssignmentHold, _sent: dict[str, Any]) -> Any:
        """End the work if it has not ended, and go back to your old place in line for another partner."""
        return lobbies.find_another(held, by=self.person(), now=clock.now())


class HereView(LobbyView):
    """Whether you are there: in line, if it is asked, and once a partner was found."""

    http_method_names = ("post", "options")

    @change_call("say_here", LobbySerializer, finder=lobby_ticket, body=NoFieldsSerializer)
    def post(self, ticket: Ticket, _sent: dict[str, Any]) -> Any:
        """Say that you are here."""
        return lobbies.say_here(ticket, by=self.person(), now=clock.now())


class AloneView(LobbyView):
    """What one person may do who has waited in vain."""

    http_method_names = ("post", "options")

    @change_call("go_alone", LobbySerializer, finder=lobby_ticket, body=NoFieldsSerializer)
    def post(self, ticket: Ticket, _sent: dict[str, Any]) -> Any:
        """Begin by yourself."""
        return lobbies.go_alone(ticket, by=self.person(), now=clock.now())
