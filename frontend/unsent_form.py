"""The page for a form that arrives without a session: what was written, to be sent again once its person is back."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
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
