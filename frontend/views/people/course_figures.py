"""The numbers of a course: its funnel and its items, as a page and as CSV."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from frontend import access, csv_files
from frontend.leads.courses import figures
from frontend.requests import AuthedRequest, page_view


@page_view
def index(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """How far people come, and what the answers say of each item."""
    row = access.led_qualification(request.user, slug, qualification)
    return render(request, "people/course/figures.html", figures.figures_context(row, request.GET))


@page_view
def as_csv(request: AuthedRequest, slug: str, qualification: str, table: str) -> HttpResponse:
    """One of the tables."""
    row = access.led_qualification(request.user, slug, qualification)
    return csv_files.response(figures.lines_of_table(row, table), filename=f"{slug}-{qualification}-{table}.csv")
