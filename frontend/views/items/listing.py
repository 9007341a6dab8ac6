"""The list of a project's items, the same as a table, and those that were reported."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import render

from frontend import access, downloads
from frontend.leads.courses.real_pages import choosing_of
from frontend.leads.items import bulk_job, filters, listing, reports
from frontend.leads.items.filters import SET_ASIDE, Filter, filter_of
from frontend.requests import AuthedRequest, in_utc, page_view
from frontend.wording import noun_of_project


@page_view
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
        "choices": filters.filter_choices(project, wanted),
        "decided": bulk_job.latest(project),
        "aside": listing.set_aside_items(project).count(),
        "chips": filters.chips(project, wanted),
        "here": wanted.address(page=wanted.page),
        "within": f"{wanted.address()}&" if wanted.address() else "",
    }
    return render(request, "project/items/index.html", context)


@page_view
def table(request: AuthedRequest, slug: str) -> HttpResponse:
    """All items that the address asks for, as CSV."""
    project, wanted = access.led_project(request.user, slug), filter_of(request.GET)
    rows, right = listing.table_rows(project, wanted), downloads.right_to(request.user, project)
    return downloads.table_response(rows, filename=f"{slug}-items.csv", right=right)


@page_view
def reported(request: AuthedRequest, slug: str) -> HttpResponse:
    """The reported items that the address asks for, by reason and stage."""
    project = access.led_project(request.user, slug)
    wanted = reports.ReportsQuery.from_query(project, request.GET)
    found = reports.listed(project, wanted, page=request.GET.get("page", "1"))
    context = {"project": project, "noun": noun_of_project(project), "wanted": wanted, "listed": found}
    return render(request, "project/items/reports.html", context)
