"""The reports about a project's items."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from frontend import access
from frontend.leads.items import reports
from frontend.requests import AuthedRequest
from frontend.wording import noun_of_project


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The reported items that the address asks for, by reason and stage."""
    project = access.led_project(request.user, slug)
    wanted = reports.ReportsQuery.from_query(project, request.GET)
    found = reports.listed(project, wanted, page=request.GET.get("page", "1"))
    context = {"project": project, "noun": noun_of_project(project), "wanted": wanted, "listed": found}
    return render(request, "project/items/reports.html", context)
