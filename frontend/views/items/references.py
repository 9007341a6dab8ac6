"""References of items for exams, written by experts of the project on the work screen."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotation import clock, membership
from annotation.models import Role
from frontend import access
from frontend.experts import references
from frontend.requests import AuthedRequest, action_view, page_view
from qualification import tries


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The items that are set aside for exams."""
    project = access.dispute_project(request.user, slug)
    page, rows = references.to_write(request.user, project, page=request.GET.get("page", "1"))
    context = {
        "project": project,
        "leads": Role.LEAD in membership.roles_of(request.user, project),
        "items": page,
        "rows": rows,
    }
    return render(request, "experts/references.html", context)


@action_view
def write(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Open the work screen to write a reference, or go on with the one that is begun."""
    item = access.reference_item(request.user, slug, item_id)
    held = tries.begin_trial(item, request.POST.get("activity", ""), by=request.user, now=clock.now())
    return redirect("work", held.uuid)
