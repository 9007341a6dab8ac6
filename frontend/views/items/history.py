"""The history of one item."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from frontend import access
from frontend.leads.items import history, overview
from frontend.nouns import noun_of_item
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Every version of every answer and every event, newest first, and the time at each stage."""
    found = access.led_item(request.user, slug, item_id)
    context = {
        "project": found.project,
        "item": found,
        "noun": noun_of_item(found),
        "prompt": overview.prompt_of(found),
        "lines": history.of(found, page=request.GET.get("page", "1")),
        "times": history.times(found),
    }
    return render(request, "project/items/history.html", context)
