"""The releases of a project: the list with one of them, and retracting it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock
from annotation.releases import retracting
from frontend import access
from frontend.leads.releases import listed, shown
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
    retracting.retract(release, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    messages.success(request, _("Retracted. Nobody can download it here any more."))
    return redirect("release", slug=slug, version=version)
