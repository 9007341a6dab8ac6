"""Pauses of the shared work of a project."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotation import clock
from frontend import access
from frontend.requests import AuthedRequest
from tasks.pairs import pauses


@login_required
@require_POST
def pause(request: AuthedRequest, slug: str) -> HttpResponse:
    """Stop the clocks of shared work for 15 minutes."""
    pauses.begin(access.led_project(request.user, slug), by=request.user, now=clock.now())
    return redirect(f"{reverse('project', args=[slug])}#pause")


@login_required
@require_POST
def resume(request: AuthedRequest, slug: str) -> HttpResponse:
    """End the pause now."""
    pauses.end(access.led_project(request.user, slug), by=request.user, now=clock.now())
    return redirect(f"{reverse('project', args=[slug])}#pause")
