"""Who may open a socket, decided before it is accepted: a page of ours, signed in, with a right to what is there."""

from __future__ import annotations

import uuid as uuids
from importlib import import_module
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.urls import Resolver404, path, resolve

from annotation import clock
from annotation.errors import Refused
from annotation.models import User
from frontend import access
from frontend.sockets.places import SocketPlace, look
from tasks.engine import pokes
from tasks.pairs import lobby as lobbies

Session: Any = import_module(settings.SESSION_ENGINE).SessionStore
SCHEMES = {"ws": "http", "wss": "https"}


def admit_socket(scope: dict[str, Any]) -> SocketPlace | None:
    """What the socket of this handshake (an ASGI scope) may listen to; None, whatever the reason, if it may not open.

    Queries the database.
    """
    handshake = {**scope, "method": "GET", "scheme": SCHEMES[scope["scheme"]], "query_string": b""}
    request: Any = ASGIRequest(handshake, BytesIO())
    try:
        found = resolve(request.path_info, "frontend.sockets.admission")
        if not _is_from_own_page(request):
            return None
        request.session = Session(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
        user = auth.get_user(request)
        if not user.is_authenticated:
            return None
        place = found.func(user, request.session.session_key, **found.kwargs)
    except (Refused, Resolver404, SuspiciousOperation):
        return None
    return place if place in look([place], now=clock.now()).allowed else None


def work(user: User, session: str, *, uuid: uuids.UUID) -> SocketPlace:
    """The person's own assignment in an activity with several seats; Refused if there is none."""
    held = access.own_shared_assignment(user, uuid)
    topic, project = pokes.topic_of_work(held.annotation_id), held.task.item.project_id
    return SocketPlace(session, user.password, user.pk, project, topic, assignment=held.pk)


def lobby(user: User, session: str, *, slug: str, activity: str) -> SocketPlace:
    """The lobby of an activity, for members of the project; Refused if there is none."""
    project = access.member_project(user, slug)
    topic = pokes.topic_of_lobby(project.pk, lobbies.lobby_activity(project, activity).key)
    return SocketPlace(session, user.password, user.pk, project.pk, topic)


def room(user: User, session: str, *, uuid: uuids.UUID) -> SocketPlace:
    """The meeting of a judging round, for those who take part; Refused if there is none."""
    row = access.met_round(user, uuid)
    return SocketPlace(session, user.password, user.pk, row.project_id, pokes.topic_of_room(row.pk), room=row.pk)


def _is_from_own_page(request: ASGIRequest) -> bool:
    """Whether the browser says that a page of this site opens the socket: browsers send cookies along from any page.

    The same rule as Django's for POST. SuspiciousOperation if the site does not serve the host of the handshake.
    """
    own = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") in (own, *settings.CSRF_TRUSTED_ORIGINS)


WORK = "ws/work/<uuid:uuid>/"
LOBBY = "ws/projects/<slug:slug>/<slug:activity>/lobby/"
ROOM = "ws/judging/<uuid:uuid>/"
# `admission.admit` resolves these and calls what it finds.
urlpatterns = [
    path(WORK, work, name="socket_of_work"),  # type: ignore[arg-type]  # Django's types allow only views
    path(LOBBY, lobby, name="socket_of_lobby"),  # type: ignore[arg-type]  # as above
    path(ROOM, room, name="socket_of_room"),  # type: ignore[arg-type]  # as above
]
