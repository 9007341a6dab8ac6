"""The list of a project's items, and the same as a table."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from frontend import access, downloads
from frontend.leads.courses.choosing import choosing_of
from frontend.leads.items import bulk_job, choices, items_table, listing
from frontend.leads.items.filters import SET_ASIDE, Filter, filter_of
from frontend.requests import AuthedRequest, in_utc
from frontend.wording import noun_of_project


@login_required
@never_cache
@require_GET
@in_utc
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The items that the address asks for: filtered, sorted, and one page of them."""
    project, wanted = access.led_project(request.user, slug), filter_of(request.GET)
    choosing = choosing_of(request.user, project, wanted)
    if choosing is None:
        wanted = replace(wanted, exam="")
    context = {
        "project": project,
        "choosing": choosing,
        "all_here": Filter(exam=wanted.exam).address(),
        "aside_here": Filter(exam=wanted.exam, state=SET_ASIDE).address(),
        "noun": noun_of_project(project),
        "wanted": wanted,
        "listed": listing.listed(project, wanted),
        "choices": choices.filter_choices(project, wanted),
        "decided": bulk_job.latest(project),
        "aside": listing.set_aside_items(project).count(),
        "chips": choices.chips(project, wanted),
        "here": wanted.address(page=wanted.page),
        "within": f"{wanted.address()}&" if wanted.address() else "",
    }
    return render(request, "project/items/index.html", context)


@login_required
@never_cache
@require_GET
def table(request: AuthedRequest, slug: str) -> StreamingHttpResponse:
    """All items that the address asks for, as CSV."""
    project, wanted = access.led_project(request.user, slug), filter_of(request.GET)
    return downloads.streamed_table(items_table.rows(project, wanted), filename=f"{slug}-items.csv")
