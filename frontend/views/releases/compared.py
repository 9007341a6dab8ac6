"""What changed between two releases."""

from __future__ import annotations

import csv

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from annotation.models import Release
from frontend import access
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
    name = f"{slug}-changes-{older.version}-{release.version}.csv"
    answer = HttpResponse(
        content_type="text/csv; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
    csv.writer(answer).writerows(compared.table(release, older))
    return answer


def _both(request: AuthedRequest, slug: str, version: int) -> tuple[Release, Release]:
    release = access.seen_release(request.user, slug, version)
    older = listed.older_of(release, request.GET.get("since", ""))
    if older is None:
        raise NotFound
    return release, older
