"""Lobbies: wait there for a partner, by polling."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from frontend import access
from frontend.api.serializers.lobbies import EnterSerializer, LobbySerializer, PreferSerializer
from frontend.api.serializers.work import NoFieldsSerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work import lobbies
from frontend.api.work.holding import scripted_project, shared_hold
from frontend.work.forms.tokens import whole_number
from tasks.models import Ticket

IDLE = [OpenApiParameter("idle", int, description="Seconds since somebody used the interface, if it is one.")]


class LobbyView(HeldView):
    """A lobby. Read it every few seconds: whoever has not read it for 30 seconds loses their place."""

    @extend_schema(operation_id="read_lobby", parameters=IDLE, responses=LobbySerializer)
    def get(self, request: Request, slug: str, activity: str) -> Answer:
        """Read how your place in line is; `work` is set once it has begun."""
        project, text = scripted_project(self.person(), slug), request.query_params.get("idle", "")
        idle = float(whole_number(text)) if text else None
        return _lobby_answer(lobbies.read(project, activity, by=self.person(), idle=idle, now=clock.now()))

    @extend_schema(operation_id="enter_lobby", request=EnterSerializer, responses=LobbySerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Get in line, or say which part you would rather have."""
        project, part = scripted_project(self.person(), slug), self.body(EnterSerializer)["part"]
        return _lobby_answer(lobbies.enter(project, activity, by=self.person(), part=part, now=clock.now()))

    @extend_schema(operation_id="leave_lobby", request=None, responses={200: LobbySerializer})
    def delete(self, request: Request, slug: str, activity: str) -> Answer:
        """Leave the line."""
        return _lobby_answer(lobbies.leave(self.ticket(slug, activity), by=self.person(), now=clock.now()))

    def ticket(self, slug: str, activity: str) -> Ticket:
        """Your latest visit."""
        return access.own_ticket(self.person(), scripted_project(self.person(), slug), activity)


class PartView(LobbyView):
    """Which part you would rather have."""

    http_method_names = ("post", "options")

    @extend_schema(operation_id="prefer_part", request=PreferSerializer, responses=LobbySerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Say which part you would rather have; it stays so later. It changes nothing for whoever is not in line."""
        ticket, part = self.ticket(slug, activity), self.body(PreferSerializer)["part"]
        return _lobby_answer(lobbies.prefer(ticket, part, by=self.person(), now=clock.now()))


class AnotherView(HeldView):
    """Shared work whose partner is lost or quiet, or has left within the last hour."""

    @extend_schema(operation_id="find_another", request=NoFieldsSerializer, responses=LobbySerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """End the work if it has not ended, and go back to your old place in line for another partner."""
        held, _nothing = shared_hold(self.person(), uuid), self.body(NoFieldsSerializer)
        return _lobby_answer(lobbies.find_another(held, by=self.person(), now=clock.now()))


class HereView(LobbyView):
    """Whether you are there: in line, if it is asked, and once a partner was found."""

    http_method_names = ("post", "options")

    @extend_schema(operation_id="say_here", request=NoFieldsSerializer, responses=LobbySerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Say that you are here."""
        self.body(NoFieldsSerializer)
        return _lobby_answer(lobbies.say_here(self.ticket(slug, activity), by=self.person(), now=clock.now()))


class AloneView(LobbyView):
    """What one person may do who has waited in vain."""

    http_method_names = ("post", "options")

    @extend_schema(operation_id="go_alone", request=NoFieldsSerializer, responses=LobbySerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Begin by yourself."""
        self.body(NoFieldsSerializer)
        return _lobby_answer(lobbies.go_alone(self.ticket(slug, activity), by=self.person(), now=clock.now()))


def _lobby_answer(lobby: dict[str, Any]) -> Answer:
    return Answer(LobbySerializer(lobby).data)
