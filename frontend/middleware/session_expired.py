"""401 instead of a redirect to the sign-in page for what a page sends after its session has expired.

A form gets a page with what was written, to be sent again once its person is back.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from annotation.documents.words import length_of

SECRET = ("password", "code")
"""Parts of names of fields that are never put into a page again."""


@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """401, with a form that sends the same fields to the same address. Files and secrets have to be entered again."""
    fields = [
        (name, value) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken" for value in values
    ]
    again = bool(request.FILES) or any(secret in name for name, _value in fields for secret in SECRET)
    context = {
        "fields": [] if again else fields,
        "texts": [] if again else [value for _name, value in fields if _is_prose(value)],
        "to_enter_again": again,
        "address": request.get_full_path(),
        "sign_in": resolve_url(settings.LOGIN_URL),
        "back": _page_of_form(request),
    }
    return render(request, "errors/unsent.html", context, status=401)


def _is_prose(value: str) -> bool:
    """Whether it has several words, as no key, name or date of a form has; some languages set none apart by blanks."""
    return len(value.split()) > 1 or (not value.isascii() and length_of(value).n > 1)


def _page_of_form(request: HttpRequest) -> str:
    """The path of the page that held the form, as the browser says; the start page if it says nothing or elsewhere."""
    said = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(said, {request.get_host()}):
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    there = urlsplit(said)
    return f"{there.path}?{there.query}" if there.query else there.path


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
            return page(request) if signed_out else response
        no_session = response.status_code == 403 and settings.SESSION_COOKIE_NAME not in request.COOKIES
        return HttpResponse(status=401, headers={"X-Sign-In": login}) if redirected or no_session else response
