"""Score a file of predictions against a release."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from frontend import access
from frontend.leads.releases import scoring
from frontend.requests import AuthedRequest, form_view


@form_view
def score(request: AuthedRequest, slug: str, version: int) -> HttpResponse:
    """The form, and the figures of what was sent."""
    release = access.seen_release(request.user, slug, version)
    sent = request.method == "POST"
    form = scoring.form_of(release, request.POST if sent else None, request.FILES if sent else None)
    page = {"project": release.project, "release": release, "form": form}
    if not sent:
        return render(request, "project/releases/score.html", page)
    found = scoring.scored(release, form) if form.is_valid() else {}
    status = 200 if "tables" in found else 429 if "busy" in found else 422
    return render(request, "project/releases/score.html", page | found, status=status)
