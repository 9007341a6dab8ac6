"""A lead's view of time: the stages and people of a project, and what one person worked on."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from frontend import access, downloads
from frontend.leads import case_details, time
from frontend.requests import AuthedRequest, in_utc, page_view, parse_day


@page_view
@in_utc
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """How long stages take, whose time it is, and what was amended."""
    project = access.led_project(request.user, slug)
    context = time.project_totals(project) | {
        "project": project,
        "activities": time.stages(project),
        "fast": time.fast(project),
        "an_hour": time.an_hour(project),
        "people": time.people(project, page=request.GET.get("page", "1")),
        "amendments": time.amendments(project),
    }
    context["met"] = any(one["spent"].meeting for one in context["people"])
    return render(request, "project/time.html", context)


@page_view
def as_csv(request: AuthedRequest, slug: str) -> HttpResponse:
    """Each person's days, with times and pay."""
    project = access.led_project(request.user, slug)
    right = downloads.right_to(request.user, project)
    return downloads.table_response(time.ledger_table(project), filename=f"{project.slug}-time.csv", right=right)


@page_view
@in_utc
def of_person(request: AuthedRequest, slug: str, code: str) -> HttpResponse:
    """What the person with that worker code worked on, on one `day` or ever, and their amendments."""
    project = access.led_project(request.user, slug)
    person, day = access.timed_person(project, code), parse_day(request.GET.get("day", ""))
    context = {
        "project": project,
        "code": code,
        "day": day,
        "pieces": time.pieces(project, person, day=day, page=request.GET.get("page", "1")),
        "beside": time.beside_work(project, person, day=day),
        "amendments": time.amendments(project, person=person),
        "rates": case_details.rates_of_person(project, person),
    }
    return render(request, "project/time_of.html", context)
