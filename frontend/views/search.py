"""The search for work, and how long its page was in sight."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from frontend import access
from frontend.requests import AuthedRequest
from frontend.work import search


@login_required
@never_cache
@require_GET
def page(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Find what to work on by its title and abstract; an empty query shows some at random."""
    project = access.member_project(request.user, slug)
    return search.page(request, project, activity)


@login_required
@require_POST
def time(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Keep how long the page was in sight, which tells it when it is left and once a minute."""
    project = access.member_project(request.user, slug)
    search.searchable(project, activity)
    search.keep_time(request.user, project, request.POST)
    return HttpResponse(status=204)
