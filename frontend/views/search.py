"""The search for work, and the time that its page was visible."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from frontend import access
from frontend.requests import AuthedRequest
from frontend.work import page_time, search


@login_required
@never_cache
@require_GET
def page(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Search titles and abstracts; an empty query shows a random sample."""
    project = access.member_project(request.user, slug)
    return search.page(request, project, activity)


@login_required
@require_POST
def time(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Store how long the page was visible; it reports this once a minute and when it is left."""
    project = access.member_project(request.user, slug)
    search.searchable(project, activity)
    page_time.keep(request.user, project, request.POST)
    return HttpResponse(status=204)
