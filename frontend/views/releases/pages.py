"""The releases of a project: the list with one of them, its files, comparing two, and retracting one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock
from annotation.errors import NotFound
from annotation.models import Release
from annotation.releases import building
from frontend import access, downloads
from frontend.leads.releases import compared, listed, shown
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """All releases, and the latest one that is ready."""
    project = access.led_project(request.user, slug)
    page = shown.page_of(project, listed.latest(project), now=clock.now())
    return render(request, "project/releases/index.html", page)


@login_required
@never_cache
@require_GET
def of_version(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """All releases, and this one."""
    release = access.seen_release(request.user, slug, version)
    page = shown.page_of(release.project, release, now=clock.now())
    return render(request, "project/releases/index.html", page)


@login_required
@require_POST
def retract(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """Stop offering a release."""
    release = access.seen_release(request.user, slug, version)
    building.retract(release, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    messages.success(request, _("Retracted. Nobody can download it here any more."))
    return redirect("release", slug=slug, version=version)


@login_required
@never_cache
@require_GET
def page(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """What changed since the release before, or since the one that the address names."""
    release, older = _both(request, slug, version)
    return render(request, "project/releases/changes.html", compared.page_of(release, older))


@login_required
@never_cache
@require_GET
def table(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """Every change, as CSV."""
    release, older = _both(request, slug, version)
    filename = f"{slug}-changes-{older.version}-{release.version}.csv"
    return downloads.table_response(compared.table(release, older), filename=filename)


def _both(request: AuthedRequest, slug: str, version: int) -> tuple[Release, Release]:
    release = access.seen_release(request.user, slug, version)
    older = listed.older_of(release, request.GET.get("since", ""))
    if older is None:
        raise NotFound
    return release, older


@login_required
@require_GET
def file(request: AuthedRequest, slug: str, version: int, name: str) -> HttpResponse:
    """One file of a ready release, by its name in the manifest."""
    release = access.led_release(request.user, slug, version)
    return downloads.file_of_release(release, name, user=request.user)
