"""A person's own finished work."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from frontend.requests import AuthedRequest, page_view
from frontend.work.finished import finished_work, has_finished_elsewhere


@page_view
def index(request: AuthedRequest) -> HttpResponse:
    """What the person has finished and what they answered; read-only."""
    decided = request.GET.get("decided") == "1"
    page, done = finished_work(request.user, request.GET.get("page", "1"), decided=decided)
    elsewhere = not decided and has_finished_elsewhere(request.user)
    context = {"pages": page, "done": done, "decided": decided, "elsewhere": elsewhere}
    return render(request, "work/finished.html", context)
