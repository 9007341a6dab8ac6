"""Messages between leads and people: a lead's to one person, and a person's own to the leads of a project."""

from __future__ import annotations

from typing import Any

from django.contrib import messages as notes
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from frontend import access
from frontend.access.projects import or_not_found
from frontend.requests import AuthedRequest, action_view, form_view
from frontend.work import own_messages
from frontend.work.forms.tokens import uuid_of
from tasks.people import messages


@action_view
def to_person(request: AuthedRequest, slug: str, code: str) -> HttpResponse:
    """A lead writes to one person; or, without a text, says that what they wrote is read."""
    project, person = access.led_person(request.user, slug, code)
    by, now, side = request.user, clock.now(), messages.LEAD
    if "read" in request.POST:
        messages.mark_read(project, person, side=side, upto=_number(request), by=by, now=now)
    else:
        messages.write(project, person, side=side, **_letter(request), by=by, now=now)
        notes.success(request, _("Sent. They find it on their home page."))
    return redirect(f"{request.path.removesuffix('write/')}#messages")


@form_view
def own(request: AuthedRequest, slug: str) -> HttpResponse:
    """The person's own messages with the leads of a project; POST writes one, perhaps about their work `about`."""
    project = access.member_project(request.user, slug)
    about = access.own_work(request.user, project, request.GET.get("about", ""))
    if request.method == "POST":
        by, now, side = request.user, clock.now(), messages.PERSON
        item = about.task.item if about is not None else None
        messages.write(project, by, side=side, **_letter(request), by=by, now=now, item=item)
        notes.success(request, _("Sent to the leads of the project."))
        return redirect("messages", slug=slug)
    context = {"project": project.title, "slug": slug, "about": about, **own_messages.thread(project, request.user)}
    context["prompt"] = own_messages.prompt(about)
    return render(request, "people/messages.html", context)


@action_view
def read(request: AuthedRequest, slug: str) -> HttpResponse:
    """The person has read what leads wrote, up to that number."""
    project = access.member_project(request.user, slug)
    side, upto = messages.PERSON, _number(request)
    messages.mark_read(project, request.user, side=side, upto=upto, by=request.user, now=clock.now())
    return redirect("home") if "home" in request.POST else redirect("messages", slug=slug)


def _letter(request: AuthedRequest) -> dict[str, Any]:
    """The text that was sent, with its key."""
    text = own_messages.as_written(request.POST.get("text", ""))
    return {"text": text, "key": or_not_found(uuid_of(request, "key"))}


def _number(request: AuthedRequest) -> int:
    sent = request.POST.get("upto", "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 9 else 0
