"""Tag events with the request's origin: a pseudonym of the session, and the build of the pages that served it."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from annotation import events


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
