"""A lead's page of the human upper bound, and its figures as CSV."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation import clock
from annotation.errors import NotFound
from frontend import access, downloads
from frontend.leads import human_bound
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """How well people do on the official metrics, beside the published figures."""
    project = access.led_project(request.user, slug)
    bound = human_bound.bound_of_split(project, split=request.GET.get("split", ""), now=clock.now())
    if bound is None:
        raise NotFound
    return render(request, "project/human_bound.html", {"project": project, "bound": bound})


@login_required
@never_cache
@require_GET
def figures(request: AuthedRequest, slug: str) -> HttpResponse:
    """Every figure at full precision."""
    rows = human_bound.table(access.led_project(request.user, slug))
    if not rows:
        raise NotFound
    return downloads.table_response(rows, filename=f"{slug}-human-bound.csv")
