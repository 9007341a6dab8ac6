"""The people of a project, and the invitations to it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from frontend import access
from frontend.leads import members
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """Who is a member, in which role and since when, and what each has done lately."""
    project = access.led_project(request.user, slug)
    context = {"project": project, "members": members.of(project, page=request.GET.get("page", "1"))}
    return render(request, "people/index.html", context)
