"""The lead's pages: a project at a glance, and one item with its annotations side by side."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from frontend import access, overview


@login_required
@never_cache
@require_GET
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Items, done and in work by split; queues, imports, releases."""
    project = access.led_project(request.user, slug)
    context = {
        "project": project,
        "splits": overview.splits(project),
        "queues": overview.queues(project),
        "imports": overview.imports(project),
        "releases": overview.ready_releases(project),
        "items": overview.items(project, split=request.GET.get("split", ""), page=request.GET.get("page", "1")),
        "split": request.GET.get("split", ""),
    }
    return render(request, "project/index.html", context)


@login_required
@never_cache
@require_GET
def item(request: HttpRequest, slug: str, item_id: int) -> HttpResponse:
    """The annotations of one item side by side, under worker codes."""
    found = access.led_item(request.user, slug, item_id)
    context = {
        "project": found.project,
        "item": found,
        "prompt": overview.prompt_of(found),
        "columns": overview.columns(found),
        "sources": overview.sources(found),
    }
    return render(request, "project/item.html", context)
