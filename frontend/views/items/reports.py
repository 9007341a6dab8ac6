"""The reports about a project's items."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from frontend import access
from frontend.leads.items import reports
from frontend.nouns import noun_of_project
from frontend.requests import AuthedRequest, page_view


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The reported items that the address asks for, by reason and stage."""
    project = access.led_project(request.user, slug)
    wanted = reports.ReportsQuery.from_query(project, request.GET)
    found = reports.listed(project, wanted, page=request.GET.get("page", "1"))
    context = {"project": project, "noun": noun_of_project(project), "wanted": wanted, "listed": found}
    return render(request, "project/items/reports.html", context)
