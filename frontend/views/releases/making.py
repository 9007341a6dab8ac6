"""Make a release: choose, see what it would contain, build it in the background."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import clock
from annotation.models import Project
from frontend import access
from frontend.leads.releases import making
from frontend.requests import AuthedRequest, action_view, page_view
from tasks.background import long_jobs


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: AuthedRequest, slug: str) -> HttpResponse:
    """GET: the choices, and what the release would contain. POST: put its build into the queue."""
    project, now = access.led_project(request.user, slug), clock.now()
    if request.method != "POST":
        return render(request, "project/releases/new.html", making.page_of(project, request.GET, now=now))
    form = making.form_of(project, request.POST, now=now, sent=True)
    if not form.is_valid():
        return _refused(request, project, now)
    making.ask(project, form, by=request.user, now=now)
    return redirect("releases", slug=slug)


def _refused(request: AuthedRequest, project: Project, now: datetime) -> HttpResponse:
    page = making.page_of(project, request.POST, now=now, sent=True)
    return render(request, "project/releases/new.html", page, status=422)


@action_view
def count(request: AuthedRequest, slug: str) -> HttpResponse:
    """Count in the background what the release would contain, where that takes long."""
    project, now = access.led_project(request.user, slug), clock.now()
    form = making.form_of(project, request.POST, now=now, sent=True)
    if not form.is_valid():
        return _refused(request, project, now)
    job = making.ask_preview(project, form, by=request.user, now=now)
    return redirect(f"{reverse('new_release', args=[slug])}?{making.query_of(form)}&job={job.pk}")


@page_view
def job(request: AuthedRequest, slug: str, build: int) -> HttpResponse:
    """A build that failed: which items the format refuses, and why."""
    found = access.led_job(request.user, slug, build, kinds=(making.BUILD,))
    return render(request, "project/releases/job.html", making.job_page(found, now=clock.now()))


@action_view
def cancel(request: AuthedRequest, slug: str, build: int) -> HttpResponse:
    """Cancel a build, or a count."""
    found = access.led_job(request.user, slug, build, kinds=(making.BUILD, making.PREVIEW))
    long_jobs.cancel(found, by=request.user, now=clock.now())
    messages.success(request, _("Cancelled. Nothing was released."))
    return redirect("releases", slug=slug)


@action_view
def without(request: AuthedRequest, slug: str, build: int) -> HttpResponse:
    """Build it again without the items that the format refused."""
    found = access.led_job(request.user, slug, build, kinds=(making.BUILD,))
    making.ask_without(found, by=request.user, now=clock.now())
    return redirect("releases", slug=slug)
