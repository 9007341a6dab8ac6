"""A lead archives a project, brings it back, or takes an empty one away."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock
from frontend import access
from frontend.requests import AuthedRequest, action_view
from tasks.setup import archiving


@action_view
def archive(request: AuthedRequest, slug: str) -> HttpResponse:
    """Let the project rest; the message can bring it back."""
    project = access.led_project(request.user, slug)
    archiving.archive(project, by=request.user, now=clock.now())
    said, url = _("%(title)s is archived."), reverse("bring_back_project", args=[slug])
    messages.success(request, said % {"title": project.title}, extra_tags=f"undo {url}")
    return redirect("home")


@action_view
def bring_back(request: AuthedRequest, slug: str) -> HttpResponse:
    """Bring it back."""
    project = access.led_project(request.user, slug)
    archiving.bring_back(project, by=request.user, now=clock.now())
    messages.success(request, _("%(title)s is back. Its queues are as they were.") % {"title": project.title})
    return redirect("project", slug=slug)


@action_view
def remove(request: AuthedRequest, slug: str) -> HttpResponse:
    """Take a project with nothing in it away."""
    project = access.led_project(request.user, slug)
    archiving.remove(project, by=request.user, now=clock.now())
    said = _("%(title)s is taken away, and its address, %(slug)s, is free.")
    messages.success(request, said % {"title": project.title, "slug": slug})
    return redirect("home")
