"""One person of a project: what they did, what was written, and their membership."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages as notes
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from annotation.errors import NotFound
from annotation.models import Project, Role, User
from frontend import access
from frontend.leads import person as pages
from frontend.leads import qualifications
from frontend.leads.members import invited_names
from frontend.requests import AuthedRequest, action_view, page_view
from tasks.people import memberships


@page_view
def index(request: AuthedRequest, slug: str, code: str) -> HttpResponse:
    """Figures, messages, roles and their history."""
    project, person = access.led_person(request.user, slug, code)
    context = {
        "project": project,
        "person": person,
        "invited": invited_names(project, [person.pk]).get(person.pk, ""),
        "is_self": person == request.user,
        "figures": pages.figures(project, person),
        "roles": pages.roles(project, person),
        "history": pages.history(project, person),
        "grants": qualifications.grants_of(person, project),
        "thread": pages.thread(project, person),
    }
    return render(request, "people/person.html", context)


@action_view
def end(request: AuthedRequest, slug: str, code: str) -> HttpResponse:
    """End a role, at once or once they have finished what they hold."""
    project, person = access.led_person(request.user, slug, code)
    finish = request.POST.get("how") != "now"
    act = partial(memberships.end, project, person, _role(request, "role"), finish=finish)
    ended = _("The membership has ended."), _("They get no new work; the membership ends once they hold nothing.")
    return _decided(request, project, person, act, lambda row: ended[row.ended_at is None])


@action_view
def give_back(request: AuthedRequest, slug: str, code: str) -> HttpResponse:
    """Give a role back that has ended or is ending."""
    project, person = access.led_person(request.user, slug, code)
    act = partial(memberships.give_back, project, person, _role(request, "role"))
    return _decided(request, project, person, act, lambda _row: _("The membership is restored."))


@action_view
def change_role(request: AuthedRequest, slug: str, code: str) -> HttpResponse:
    """Give them another role instead of one that they have."""
    project, person = access.led_person(request.user, slug, code)
    act = partial(memberships.change_role, project, person, _role(request, "role"), to=_role(request, "to"))
    return _decided(request, project, person, act, lambda _row: _("The role is changed."))


def _role(request: AuthedRequest, name: str) -> Role:
    sent = request.POST.get(name, "")
    if sent not in Role.values:
        raise NotFound
    return Role(sent)


def _decided(
    request: AuthedRequest, project: Project, person: User, act: Callable[..., Any], message: Callable[[Any], str]
) -> HttpResponse:
    """Carry it out with its reason; whoever ends or changes their own role goes home, as they lead no longer."""
    row = act(by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    notes.success(request, message(row))
    if person == request.user:
        return redirect("home")
    return redirect("person", slug=project.slug, code=person.worker_code)
