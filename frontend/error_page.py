"""The page for an error of ours. It must not fail itself: only the tabs of a lead ask the database."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from frontend.access.projects import led_project
from frontend.leads.tabs import TabOnPage, plain_tabs_of


def server_error(request: HttpRequest) -> HttpResponse:
    """Says that something went wrong; a lead of the project that the address is about goes on from its tabs."""
    return HttpResponse(render_to_string("500.html", {"tabs": _tabs(request)}), status=500)


def _tabs(request: Any) -> list[TabOnPage]:
    """The tabs, without what waits behind them; none if anything is missing, as it may be what has failed."""
    try:
        project = led_project(request.user, request.resolver_match.kwargs["slug"])
        return list(plain_tabs_of(project))
    except Exception:
        return []
