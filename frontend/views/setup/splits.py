"""Dividing a project's items into splits: what a division would do is shown before it is done."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from annotation import clock
from annotation.models import Project
from frontend import access
from frontend.leads.setup import splits
from frontend.requests import AuthedRequest, form_view
from tasks.setup.splits import DivisionRefused, Plan, divide, plan


@form_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The splits. POST shows what a division would do, and does it if `go` is `divide`."""
    project = access.led_project(request.user, slug)
    form = splits.form_of(project, request.POST if request.method == "POST" else None)
    if request.method == "GET" or not form.is_valid():
        return _page(request, project, form, refused=request.method == "POST")
    try:
        if request.POST.get("go") != "divide":
            return _page(request, project, form, plan=plan(project, form.division(), **form.draw()))
        done = divide(project, form.division(), by=request.user, now=clock.now(), **form.draw())
    except DivisionRefused as refused:
        return _page(request, project, form, why=splits.in_words(refused))
    said = ngettext("Divided. %(n)s was moved.", "Divided. %(n)s were moved.", done.moved) % {"n": done.moved}
    messages.success(request, said)
    return redirect("splits", slug=slug)


def _page(
    request: AuthedRequest,
    project: Project,
    form: splits.DivisionForm,
    *,
    refused: bool = False,
    plan: Plan | None = None,
    why: str = "",
) -> HttpResponse:
    context = {
        "project": project,
        "form": form,
        "refused": refused,
        "why": why,
        "plan": splits.plan_as_table(project, plan) if plan else None,
        "sizes": splits.sizes(project),
        "ways": splits.ways(project),
    }
    return render(request, "setup/splits.html", context, status=422 if refused or why else 200)
