"""Short middlewares: NUL characters, the origin of events, the reader's time zone, and a site without an account."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import tzinfo
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation import events
from frontend.accounts import first_run


class FirstRunMiddleware:
    """Routes requests to frontend/views/accounts/first_run.py until there is an account; then it costs a `stat`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if first_run.is_open():
            request.urlconf = "frontend.views.accounts.first_run"
        return self.get_response(request)


NUL = "\0"


class NoNulMiddleware:
    """Takes NUL characters out of queries and forms: PostgreSQL can't store them, and nobody means one.

    After the CSRF check, which reads the form too; before any view.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view_and_arguments: Any) -> None:
        """Only for addresses that exist; other bodies are not read."""
        if _has_nul(request.GET):
            request.GET = _without_nul(request.GET)  # type: ignore[assignment]  # as Django does, whose stubs say it is immutable
        if request.method == "POST" and _has_nul(request.POST):
            request.POST = _without_nul(request.POST)  # type: ignore[assignment]  # as Django does, whose stubs say it is immutable


def _has_nul(query: QueryDict) -> bool:
    return any(NUL in value for _name, values in query.lists() for value in values)


def _without_nul(query: QueryDict) -> QueryDict:
    found = QueryDict(mutable=True)
    for name, values in query.lists():
        found.setlist(name, [value.replace(NUL, "") for value in values])
    return QueryDict(found.urlencode())  # this one is immutable, as Django's is


class OriginMiddleware:
    """Events recorded during a request (a claim, a screen) carry its session pseudonym and UI build."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with events.coming_from(session=pseudonym(request), ui_build=ui_build()):
            return self.get_response(request)


def pseudonym(request: HttpRequest) -> str:
    """A one-way hash (HMAC) of the session key, constant for one sign-in; "" if nobody is signed in."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return salted_hmac("goldfinch.session", key, algorithm="sha256").hexdigest()[:16] if key else ""


def ui_build() -> str:
    """The hash of all collected static files; "" if they are served from their sources (DEBUG)."""
    return getattr(staticfiles_storage, "manifest_hash", "")


COOKIE = "time_zone"
"""Written by `page.js`: an IANA name such as `Europe/Berlin`."""
LONGEST = 64
"""Characters; the longest IANA name has 32."""


class TimeZoneMiddleware:
    """Activates the zone of the cookie during a request. Without a cookie, or an unknown zone: UTC, the default."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(zone_called(request.COOKIES.get(COOKIE, ""))):
            return self.get_response(request)


@lru_cache(maxsize=1024)
def zone_called(name: str) -> tzinfo | None:
    """The time zone of that name; None if the system's database has none, or has no such file."""
    if not name or len(name) > LONGEST:
        return None
    try:
        return zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):  # a path outside the database, a folder, no entry
        return None
