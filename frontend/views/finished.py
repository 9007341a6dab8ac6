"""A person's own finished work."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from frontend.requests import AuthedRequest
from frontend.work.finished import finished_work, has_finished_elsewhere


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest) -> HttpResponse:
    """What the person has finished and what they answered; read-only."""
    decided = request.GET.get("decided") == "1"
    page, done = finished_work(request.user, request.GET.get("page", "1"), decided=decided)
    elsewhere = not decided and has_finished_elsewhere(request.user)
    context = {"pages": page, "done": done, "decided": decided, "elsewhere": elsewhere}
    return render(request, "work/finished.html", context)
