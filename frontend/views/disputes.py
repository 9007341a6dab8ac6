"""Disputes, for experts and leads: what waits for a decision."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock, membership, registry
from annotation.models import Project, Role
from frontend import access
from frontend.requests import AuthedRequest
from tasks.disputes import who


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """What an expert or lead can look at; an expert who has not begun is told first what follows from it."""
    project = access.dispute_project(request.user, slug)
    if not who.sees_answers(request.user, project):
        return render(request, "experts/begin.html", {"project": project})
    return render(request, "experts/disputes.html", _context(request, project))


@login_required
@require_POST
def begin(request: AuthedRequest, slug: str) -> HttpResponse:
    """An expert begins to see everybody's answers, and is given no more work in the project."""
    project = access.dispute_project(request.user, slug)
    who.begin(request.user, project, now=clock.now())
    return redirect("disputes", slug=slug)


def _context(request: AuthedRequest, project: Project) -> dict:
    return {
        "project": project,
        "leads": Role.LEAD in membership.roles_of(request.user, project),
        "activities": [(each.key, gettext(each.title)) for each in registry.get(project.protocol).activities],
    }
