"""The qualifications of a project: make one, say which activities need it, and decide who has it."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, randomness
from annotation.errors import NotFound
from annotation.models import Project
from frontend import access
from frontend.access.projects import or_not_found
from frontend.leads import qualifications as pages
from frontend.leads.qualifications import GivingForm, NewQualificationForm, QualificationForm
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.work.forms.tokens import uuid_of
from qualification import equal_courses, granting
from qualification.models import GrantOrigin, Qualification


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """All of them, and the form for a new one."""
    project = access.led_project(request.user, slug)
    return _list(request, project, NewQualificationForm(project))


@action_view
def make(request: AuthedRequest, slug: str) -> HttpResponse:
    """Make one; who works in the activities that need it is admitted, or finishes what they hold."""
    project = access.led_project(request.user, slug)
    form = NewQualificationForm(project, request.POST)
    if not form.is_valid():
        return _list(request, project, form, status=422)
    made = pages.make(form, by=request.user, now=clock.now())
    messages.success(request, _("“%(title)s” is made.") % {"title": made.title})
    return redirect("qualification", slug, made.key)


@page_view
def show(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Who has it, what it says, and what was decided."""
    row = access.led_qualification(request.user, slug, qualification)
    return _page(request, row)


@action_view
def change(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Change its words and the activities that need it."""
    row = access.led_qualification(request.user, slug, qualification)
    form = QualificationForm(row.project, request.POST)
    if not form.is_valid():
        return _page(request, row, form=form, status=422)
    changed = pages.change(row, form, by=request.user, now=clock.now())
    messages.success(request, _("Changed.") if changed else _("Nothing was different."), extra_tags=changed or "")
    return redirect("qualification", slug, row.key)


@action_view
def admit(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Give it to all who work where it is needed and never had it."""
    row = access.led_qualification(request.user, slug, qualification)
    form, reason = or_not_found(uuid_of(request, "key")), request.POST.get("reason", "")
    people, origin = pages.lacking_people(row), GrantOrigin.WORKED_HERE
    given = granting.give(row, people, origin=origin, reason=reason, form=form, by=request.user, now=clock.now())
    return _given(request, row, form, len(given))


@action_view
def give(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Give it to one person or several."""
    row = access.led_qualification(request.user, slug, qualification)
    form = GivingForm(row.project, request.POST)
    if not form.is_valid():
        return _page(request, row, giving=form, status=422)
    sent, by, now = form.cleaned_data, request.user, clock.now()
    said = {"reason": sent["reason"], "form": sent["key"], "origin": form.origin()}
    return _given(request, row, sent["key"], len(granting.give(row, form.whom(), **said, by=by, now=now)))


@action_view
def copy(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Give it to all who have passed the equal course of another project that the lead leads."""
    row = access.led_qualification(request.user, slug, qualification)
    sent, form = request.POST, or_not_found(uuid_of(request, "key"))
    source = access.led_qualification(request.user, sent.get("project", ""), sent.get("qualification", ""))
    given = equal_courses.copy(row, source, reason=sent.get("reason", ""), form=form, by=request.user, now=clock.now())
    return _given(request, row, form, len(given))


@action_view
def undo_giving(request: AuthedRequest, slug: str, qualification: str, form: uuids.UUID) -> HttpResponse:
    """Revoke what was given by one form."""
    row = access.led_qualification(request.user, slug, qualification)
    if not row.grants.filter(submission_key=form).exists():
        raise NotFound
    granting.undo_giving(row, form, reason=_("undone"), by=request.user, now=clock.now())
    messages.success(request, _("As before: what was given just now is revoked."))
    return redirect("qualification", slug, row.key)


@action_view
def decide(request: AuthedRequest, slug: str, qualification: str, grant: int) -> HttpResponse:
    """Suspend, restore or revoke a grant, with a reason."""
    row = access.led_grant(request.user, slug, qualification, grant)
    act, after = pages.DECISIONS.get(request.POST.get("how", "")), request.POST.get("after", "")
    if act is None or not (after.isascii() and after.isdecimal() and len(after) < 9):
        raise NotFound
    act(row, reason=request.POST.get("reason", ""), after=int(after), by=request.user, now=clock.now())
    address = reverse("undo_grant_decision", args=[slug, qualification, grant, int(after) + 1])
    words = pages.DECIDED[request.POST["how"]] % {"name": row.user.username}
    messages.success(request, words, extra_tags=f"undo {address}")
    return redirect("qualification", slug, qualification)


@action_view
def undo_decision(request: AuthedRequest, slug: str, qualification: str, grant: int, after: int) -> HttpResponse:
    """Undo the last decision about a grant."""
    row = access.led_grant(request.user, slug, qualification, grant)
    pages.undo_decision(row, after, by=request.user, now=clock.now())
    messages.success(request, _("As before."))
    return redirect("qualification", slug, qualification)


def _given(request: AuthedRequest, row: Qualification, form: uuids.UUID, n: int) -> HttpResponse:
    words = ngettext("%(n)s person has it now.", "%(n)s people have it now.", n) % {"n": n}
    undo = f"undo {reverse('undo_giving', args=[row.project.slug, row.key, form])}" if n else ""
    messages.success(request, words if n else _("Nobody was added: they have it already."), extra_tags=undo)
    return redirect("qualification", row.project.slug, row.key)


def _list(request: AuthedRequest, project: Project, form: NewQualificationForm, *, status: int = 200) -> HttpResponse:
    context = {"project": project, "listed": pages.listed(project), "form": form, "refused": status == 422}
    return render(request, "people/qualifications.html", context, status=status)


def _page(
    request: AuthedRequest,
    row: Qualification,
    *,
    form: QualificationForm | None = None,
    giving: GivingForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "project": row.project,
        "qualification": row,
        "form": form or pages.form_of(row),
        "giving": giving or GivingForm(row.project),
        "grants": pages.grants_page(row, request.GET.get("page", "1")),
        "lacking": pages.lacking_people(row),
        "equal": equal_courses.equal_courses(row, by=request.user),
        "key": randomness.handle(),
        "activities": pages.activity_titles(row),
        "history": pages.history(row),
        "refused": form is not None,
    }
    return render(request, "people/qualification.html", context, status=status)
