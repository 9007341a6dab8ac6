"""The releases of a project: the list with one of them, its files, comparing two, and retracting one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from annotation.models import Release
from annotation.releases import building
from frontend import access, downloads
from frontend.access.projects import or_not_found
from frontend.leads.releases import listed, shown
from frontend.requests import AuthedRequest, action_view, file_view, page_view


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """All releases, and the latest one that is ready."""
    project = access.led_project(request.user, slug)
    page = shown.page_of(project, listed.latest(project), now=clock.now())
    return render(request, "project/releases/index.html", page)


@page_view
def of_version(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """All releases, and this one."""
    release = access.seen_release(request.user, slug, version)
    page = shown.page_of(release.project, release, now=clock.now())
    return render(request, "project/releases/index.html", page)


@action_view
def retract(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """Stop offering a release."""
    release = access.seen_release(request.user, slug, version)
    building.retract(release, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    messages.success(request, _("Retracted. Nobody can download it here any more."))
    return redirect("release", slug=slug, version=version)


@page_view
def page(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """What changed since the release before, or since the one that the address names."""
    release, older = _both(request, slug, version)
    return render(request, "project/releases/changes.html", shown.changes_page(release, older))


@page_view
def table(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """Every change, as CSV."""
    release, older = _both(request, slug, version)
    filename = f"{slug}-changes-{older.version}-{release.version}.csv"
    right = downloads.right_to(request.user, release)
    return downloads.table_response(shown.changes_table(release, older), filename=filename, right=right)


def _both(request: AuthedRequest, slug: str, version: int) -> tuple[Release, Release]:
    release = access.seen_release(request.user, slug, version)
    older = or_not_found(listed.older_of(release, request.GET.get("since", "")))
    return release, older


@file_view
def file(request: AuthedRequest, slug: str, version: int, name: str) -> HttpResponse:
    """One file of a ready release, by its name in the manifest."""
    release = access.led_release(request.user, slug, version)
    return downloads.file_of_release(release, name, user=request.user)
