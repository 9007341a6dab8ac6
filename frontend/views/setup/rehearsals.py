"""Rehearsals: bots work on a copy of a project, which is thrown away."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotation import clock
from frontend import access
from frontend.leads.setup import rehearsals
from frontend.rehearsal.job import KIND
from frontend.requests import AuthedRequest, action_view, form_view, page_view
from tasks.background import long_jobs


@form_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The form and the latest rehearsals; POST puts one into the queue."""
    project = access.led_project(request.user, slug)
    form = rehearsals.RehearsalForm(request.POST) if request.method == "POST" else rehearsals.form_of(project)
    if form.is_valid():
        job = rehearsals.ask(project, form, by=request.user, now=clock.now())
        return redirect("rehearsal", slug=slug, rehearsal=job.pk)
    context = {"project": project, "form": form, "rehearsals": rehearsals.latest(project)}
    return render(request, "setup/rehearsals.html", context, status=422 if form.is_bound else 200)


@page_view
def show(request: AuthedRequest, slug: str, rehearsal: int) -> HttpResponse:
    """How far a rehearsal is, or what it found."""
    found = access.led_job(request.user, slug, rehearsal, kinds=(KIND,))
    return render(request, "setup/rehearsal.html", rehearsals.page_of(found, request.GET))


@action_view
def cancel(request: AuthedRequest, slug: str, rehearsal: int) -> HttpResponse:
    """Stop a rehearsal."""
    found = access.led_job(request.user, slug, rehearsal, kinds=(KIND,))
    long_jobs.cancel(found, by=request.user, now=clock.now())
    return redirect("rehearsal", slug=slug, rehearsal=rehearsal)
