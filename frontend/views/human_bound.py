"""A lead's page of the human upper bound, and its figures as CSV."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from annotation import clock
from annotation.errors import NotFound
from frontend import access, downloads
from frontend.access.projects import or_not_found
from frontend.leads import human_bound
from frontend.requests import AuthedRequest, page_view


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """How well people do on the official metrics, beside the published figures."""
    project = access.led_project(request.user, slug)
    bound = or_not_found(human_bound.bound_of_split(project, split=request.GET.get("split", ""), now=clock.now()))
    return render(request, "project/human_bound.html", {"project": project, "bound": bound})


@page_view
def figures(request: AuthedRequest, slug: str) -> HttpResponse:
    """Every figure at full precision."""
    rows = human_bound.table(access.led_project(request.user, slug))
    if not rows:
        raise NotFound
    return downloads.table_response(rows, filename=f"{slug}-human-bound.csv")
