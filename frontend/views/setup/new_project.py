"""Make a project in four steps: back at any time, forward from one that is possible; all that is entered is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock, registry
from annotation.errors import NotFound
from annotation.setup import files
from annotation.setup.schema import SetupRefused, Wrong
from frontend import access
from frontend.leads.led import led_projects
from frontend.leads.setup import new_project
from frontend.markdown import document
from frontend.requests import AuthedRequest, action_view, answer_view, file_view, form_view, page_view
from tasks.setup import outline


@page_view
def index(request: AuthedRequest) -> HttpResponse:
    """The first step that is not complete."""
    entered = new_project.entered_by(access.project_maker(request.user))
    return redirect("new_project_step", section=next(iter(entered.wrong), "check"))


@form_view
def step(request: AuthedRequest, section: str) -> HttpResponse:
    """One step. POST keeps what was entered and goes to the step `go`, shows its texts, or makes the project."""
    user, steps = access.project_maker(request.user), list(new_project.STEPS)
    if section not in steps:
        raise NotFound
    if request.method == "GET":
        return _page(request, section, new_project.entered_by(user))
    entered, go = new_project.keep(user, section, request.POST, now=clock.now()), request.POST.get("go", "")
    if go == "make":
        return _made(request, entered)
    if go == "preview":
        return _page(request, section, entered, previewed=True)
    if go in steps and (steps.index(go) <= steps.index(section) or entered.is_possible(section)):
        return redirect("new_project_step", section=go)
    return _page(request, section, entered, refused=True)


@answer_view
def estimate(request: AuthedRequest) -> HttpResponse:
    """What these numbers would take, as it stands beside them while they are typed; nothing is kept."""
    tried = new_project.tried(access.project_maker(request.user), request.POST)
    return render(request, "setup/_new_estimate.html", {"entered": tried})


@action_view
def from_file(request: AuthedRequest) -> HttpResponse:
    """Enter what the file of another project says, in place of what was entered."""
    user, sent = access.project_maker(request.user), request.FILES.get("setup")
    try:
        new_project.begin_from(user, files.read(sent.read() if sent else b""), now=clock.now())
    except SetupRefused as refused:
        return _page(request, "protocol", new_project.entered_by(user), wrong=refused.wrong)
    messages.success(
        request, _("Taken over from the file. Give the project an address of its own, and look through it.")
    )
    return redirect("new_project_step", section="words")


@action_view
def from_project(request: AuthedRequest, slug: str) -> HttpResponse:
    """Enter what the set-up of a project says that the person leads, in place of what was entered."""
    project = access.led_project(request.user, slug)
    new_project.begin_from(request.user, outline.setup_of(project), now=clock.now())
    messages.success(request, _("Taken over. Look through it before you make the project."))
    return redirect("new_project_step", section="words")


@action_view
def discard(request: AuthedRequest) -> HttpResponse:
    """Forget what was entered."""
    new_project.discard(access.project_maker(request.user))
    messages.success(request, _("Nothing is kept of it."))
    return redirect("new_project")


@file_view
def protocol(request: AuthedRequest, protocol: str) -> HttpResponse:
    """What a protocol is: its activities with their stages, its numbers, the guidelines it starts with."""
    found = access.offered_protocol(request.user, protocol)
    context = {"shown": found, "picture": new_project.picture_of(found), "text": document(found.guideline())}
    return render(request, "setup/protocol.html", context)


def _made(request: AuthedRequest, entered: new_project.Entered) -> HttpResponse:
    if entered.wrong:
        return _page(request, "check", entered, refused=True)
    try:
        project = new_project.make(request.user, entered, now=clock.now())
    except SetupRefused as refused:
        return _page(request, "check", entered, wrong=refused.wrong)
    messages.success(request, _("Made. You lead it. Next: import something, then open its queues."))
    return redirect("project", slug=project.slug)


def _page(
    request: AuthedRequest,
    section: str,
    entered: new_project.Entered,
    *,
    refused: bool = False,
    wrong: Sequence[Wrong] = (),
    previewed: bool = False,
) -> HttpResponse:
    context = {
        "section": section,
        "steps": _steps(section, entered),
        "entered": entered,
        "refused": refused or (entered.is_touched(section) and not entered.is_possible(section)),
        "wrong": [(each.place, each.line, _(str(each.message))) for each in wrong],
        "previews": entered.texts_shown() if previewed else {},
        "led": led_projects(request.user) if section == "protocol" else [],
        "protocols": [(each, new_project.picture_of(each)) for each in registry.all_protocols()],
        "previous": _beside(section, -1),
        "next": _beside(section, 1),
    }
    return render(request, f"setup/new_{section}.html", context, status=422 if refused or wrong else 200)


def _steps(section: str, entered: new_project.Entered) -> Iterable[dict[str, object]]:
    return [
        {
            "key": key,
            "number": number,
            "title": title,
            "now": key == section,
            "done": entered.is_touched(key) and entered.is_possible(key),
        }
        for number, (key, title) in enumerate(new_project.STEPS.items(), start=1)
    ]


def _beside(section: str, by: int) -> tuple[str, object] | None:
    steps = list(new_project.STEPS.items())
    place = list(new_project.STEPS).index(section) + by
    return steps[place] if 0 <= place < len(steps) else None
