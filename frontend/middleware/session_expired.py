"""401 instead of a redirect to the sign-in page for what a page sends after its session has expired."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from frontend import unsent_form


def is_by_script(request: HttpRequest) -> bool:
    """Whether the request comes from one of our `fetch` calls, which don't render a page."""
    return request.headers.get("X-Requested-With") == "fetch"


class SignedOutMiddleware:
    """401 for a script that would be redirected to sign in, or whose CSRF token was refused without a session.

    A form that would be redirected gets 401 too, with what was written: after signing in, its address would be opened
    by GET, which does nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code not in (302, 403):
            return response
        login = reverse(settings.LOGIN_URL, urlconf=settings.ROOT_URLCONF)  # not the one of the first account
        redirected = response.status_code == 302 and response["Location"].partition("?")[0] == login
        if not (is_by_script(request) or request.headers.get("HX-Request")):
            signed_out = redirected and request.method == "POST" and "?" in response["Location"]
            return unsent_form.page(request) if signed_out else response
        no_session = response.status_code == 403 and settings.SESSION_COOKIE_NAME not in request.COOKIES
        return HttpResponse(status=401, headers={"X-Sign-In": login}) if redirected or no_session else response
