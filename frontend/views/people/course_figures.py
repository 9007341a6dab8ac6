"""The numbers of a course: its funnel and its items, as a page and as CSV."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from frontend import access, downloads
from frontend.leads.courses import figures
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """How far people come, and what the answers say of each item."""
    row = access.led_qualification(request.user, slug, qualification)
    return render(request, "people/course/figures.html", figures.figures_context(row, request.GET))


@login_required
@never_cache
@require_GET
def as_csv(request: AuthedRequest, slug: str, qualification: str, table: str) -> HttpResponse:
    """One of the tables."""
    row = access.led_qualification(request.user, slug, qualification)
    return downloads.table_response(figures.lines_of_table(row, table), filename=f"{slug}-{qualification}-{table}.csv")
