"""Shows times in the reader's time zone, which the browser names in a cookie."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import tzinfo
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

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
