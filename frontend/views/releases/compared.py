"""What changed between two releases."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from annotation.models import Release
from frontend import access, csv_files
from frontend.leads.releases import compared, listed
from frontend.requests import AuthedRequest


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
    return csv_files.response(compared.table(release, older), filename=filename)


def _both(request: AuthedRequest, slug: str, version: int) -> tuple[Release, Release]:
    release = access.seen_release(request.user, slug, version)
    older = listed.older_of(release, request.GET.get("since", ""))
    if older is None:
        raise NotFound
    return release, older
