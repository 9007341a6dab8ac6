"""Before a rater sees what others answered about an item that they still judge, a page says what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from annotation.models import User
from tasks.judging import looking

OF_ITEM = "item_id"
"""Every address with this part is about one item, and shows what was answered about it."""
OF_MANY = frozenset({"release_file", "release_changes", "release_changes_csv"})
"""Addresses that show the answers to many items: whoever opens them could see those to any of the project."""


OF_API = "api_"
"""Addresses of the API begin with it: they refuse instead, as a script can't be asked (frontend/api/base.py)."""


def may_show(route: str, named: Mapping[str, Any]) -> bool:
    """Whether an address of a page can show what others answered."""
    return "slug" in named and not route.startswith(OF_API) and (OF_ITEM in named or route in OF_MANY)


def looks_before(user: User, named: Mapping[str, Any]) -> Sequence[looking.JudgedLook]:
    """The rounds in which the person judges what such an address shows, by the parts of it."""
    return looking.before(user, named["slug"], named.get(OF_ITEM))


SHOWN = frozenset({200, 206, 409, 422})
"""Statuses of responses that may show answers: those to who may not see them are replaced by nothing."""


class BeforeLookingMiddleware:
    """Replaces what would be shown, so that who may see it at all is decided where it always is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response, match = self.get_response(request), request.resolver_match
        if match is None or response.status_code not in SHOWN or not may_show(match.url_name or "", match.kwargs):
            return response
        # Only now: to ask who it is makes a response one of a session, which no cache may keep for others.
        if not request.user.is_authenticated:
            return response
        rounds = looks_before(request.user, match.kwargs)
        return _page(request, rounds, one=OF_ITEM in match.kwargs) if rounds else response


def _page(request: HttpRequest, rounds: object, *, one: bool) -> HttpResponse:
    back = request.headers.get("Referer", "")
    local = url_has_allowed_host_and_scheme(back, {request.get_host()})
    context = {"rounds": rounds, "one": one, "to": request.get_full_path(), "back": back if local else ""}
    response = render(request, "judging/before_looking.html", context)
    response["Cache-Control"] = "no-store"
    return response
