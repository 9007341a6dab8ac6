"""A lead's view of agreement, its plot and its numbers to keep."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from annotation import clock
from annotation.models import Project
from frontend import access, downloads
from frontend.access.projects import or_not_found
from frontend.leads.agreement import shown
from frontend.leads.agreement.asked import AgreementQuery
from frontend.leads.agreement.plot import plot_of, rows_of_page
from frontend.leads.agreement.shown import AgreementPage, agreement_page
from frontend.requests import AuthedRequest, in_utc, page_view
from frontend.wording import noun_of_activity, noun_of_project


@page_view
@in_utc
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """How far people agree, of a whole activity or of the part that the address names."""
    project = access.led_project(request.user, slug)
    found = agreement_page(project, AgreementQuery.from_query(request.GET))
    context = {
        "project": project,
        "noun": noun_of_activity(found.activity) if found else noun_of_project(project),
        "found": found,
        "people": Paginator(found.people, shown.PEOPLE).get_page(request.GET.get("page", "1")) if found else None,
        "plot": plot_of(found) if found else None,
        "age": max(1, (clock.now() - found.measured_at).total_seconds()) if found else 0,
    }
    return render(request, "project/agreement.html", context)


@page_view
def svg(request: AuthedRequest, slug: str) -> HttpResponse:
    """The plot as a file that needs nothing else."""
    project, found = _measured(request, slug)
    plot = or_not_found(plot_of(found))
    body = render_to_string("project/agreement.svg", {"plot": plot})
    name = f'attachment; filename="{project.slug}-{found.measure.key}.svg"'
    return HttpResponse(body, content_type="image/svg+xml", headers={"Content-Disposition": name})


@page_view
def table(request: AuthedRequest, slug: str) -> HttpResponse:
    """Every number of the page as CSV."""
    project, found = _measured(request, slug)
    return downloads.table_response(rows_of_page(found), filename=f"{project.slug}-agreement.csv")


def _measured(request: AuthedRequest, slug: str) -> tuple[Project, AgreementPage]:
    project = access.led_project(request.user, slug)
    found = or_not_found(agreement_page(project, AgreementQuery.from_query(request.GET)))
    return project, found
