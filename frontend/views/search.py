"""The search for work, and the time that its page was visible."""

from __future__ import annotations

from django.http import HttpResponse

from frontend import access
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.work import page_time, search


@page_view
def page(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Search titles and abstracts; an empty query shows a random sample."""
    project = access.member_project(request.user, slug)
    return search.page(request, project, activity)


@action_view
def time(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Store how long the page was visible; it reports this once a minute and when it is left."""
    project = access.member_project(request.user, slug)
    search.searchable(project, activity)
    page_time.keep(request.user, project, request.POST)
    return HttpResponse(status=204)
