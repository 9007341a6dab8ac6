"""A project's queues: their numbers; opening, pausing and closing them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, events
from annotation.models import Project
from annotation.protocol import Activity
from frontend import access
from frontend.leads.setup import queues, undoing
from frontend.requests import AuthedRequest, action_view, page_view
from tasks.setup import opening


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The queue of each activity."""
    return _page(request, access.led_project(request.user, slug))


@action_view
def open_queue(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Open the queue, or open it again, with the numbers that are sent."""
    project, found = access.led_activity(request.user, slug, activity)
    form = queues.NumbersForm(request.POST)
    if not form.is_valid():
        return _page(request, project, (activity, form))
    with events.recorded() as changes:
        _queue, made = opening.open_queue(project, activity, numbers=form.numbers(), by=request.user, now=clock.now())
    said = ngettext("Open. %(n)s new task.", "Open. %(n)s new tasks.", made) % {"n": made}
    if made == opening.AT_ONCE:
        said += " " + _("The rest are made in the next minutes.")
    return _done(request, project, found, said, tag=undoing.tag_of(project, changes))


@action_view
def pause(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Hand out nothing until the queue is opened again."""
    project, found = access.led_activity(request.user, slug, activity)
    opening.pause(project, activity, by=request.user, now=clock.now())
    return _done(request, project, found, _("Paused. Nobody is given new work; what people hold they can finish."))


@action_view
def close(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Hand out nothing more."""
    project, found = access.led_activity(request.user, slug, activity)
    opening.close(project, activity, by=request.user, now=clock.now())
    return _done(request, project, found, _("Closed. You can open it again."))


@action_view
def change(request: AuthedRequest, slug: str, activity: str) -> HttpResponse:
    """Give the queue other numbers, whatever its state."""
    project, found = access.led_activity(request.user, slug, activity)
    queue, form = access.led_queue(project, activity), queues.NumbersForm(request.POST)
    if not form.is_valid():
        return _page(request, project, (activity, form))
    with events.recorded() as changes:
        changed = opening.change(queue, numbers=form.numbers(), by=request.user, now=clock.now())
    said = _("Changed.") if changed else _("Nothing was different.")
    return _done(request, project, found, said, tag=undoing.tag_of(project, changes))


def _page(request: AuthedRequest, project: Project, sent: tuple[str, queues.NumbersForm] | None = None) -> HttpResponse:
    context = {"project": project, "now": clock.now(), "rows": queues.queue_cards(project, sent=sent)}
    return render(request, "setup/queues.html", context, status=422 if sent else 200)


def _done(request: AuthedRequest, project: Project, activity: Activity, message: str, *, tag: str = "") -> HttpResponse:
    messages.success(request, f"{_(activity.title)}: {message}", extra_tags=tag)
    return redirect("queues", slug=project.slug)
