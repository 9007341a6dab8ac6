"""Scripts that call the API with a token."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client

from annotation import clock
from annotation.models import Project, User
from qualification import api_tokens
from qualification.models import ApiToken, TokenScope


class Caller:
    """Somebody's script, with a token of one scope."""

    def __init__(self, user: User, scope: TokenScope = TokenScope.READ, project: Project | None = None) -> None:
        self.token, self.secret = api_tokens.make(
            user, name="script", scope=scope, project=project, days=30, now=clock.now()
        )
        self._client = Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=True)

    def get(self, address: str, query: dict[str, Any] | None = None, **headers: str) -> HttpResponse:
        """What GET answers; `address` is below /api/v1/."""
        return self._client.get(f"/api/v1/{address}", query or {}, headers=self._headers(headers))

    def call(self, method: str, address: str, body: Any = None, **headers: str) -> HttpResponse:
        """What another method answers to a JSON body; `_` in the names of headers stands for `-`."""
        sent = {"content_type": "application/json"} | ({"data": body} if body is not None else {})
        return getattr(self._client, method.lower())(f"/api/v1/{address}", headers=self._headers(headers), **sent)

    def post(self, address: str, body: Any = None, **headers: str) -> HttpResponse:
        """What POST answers."""
        return self.call("POST", address, body, **headers)

    def send(
        self, method: str, address: str, data: bytes, kind: str = "application/octet-stream", **headers: str
    ) -> HttpResponse:
        """What a method answers to bytes of that type."""
        call = getattr(self._client, method.lower())
        return call(f"/api/v1/{address}", data, content_type=kind, headers=self._headers(headers))

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}"} | {key.replace("_", "-"): text for key, text in more.items()}


def reader(user: User) -> Caller:
    """A script that may read."""
    return Caller(user)


def leading(user: User, project: Project) -> Caller:
    """A script that may lead the project."""
    return Caller(user, TokenScope.LEAD, project)


def working(user: User) -> Caller:
    """A script that may do its person's own work."""
    return Caller(user, TokenScope.WORK)


def tokens_of(user: User) -> list[ApiToken]:
    """All tokens of a person, in the order in which they were made."""
    return list(ApiToken.objects.filter(user=user).order_by("pk"))
