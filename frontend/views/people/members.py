"""The people of a project, and invitations to it. A link is shown in the answer to its POST, and never again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock, projects
from annotation.models import Project
from annotation.parsing import csv_cells
from frontend import access
from frontend.accounts import mails, recruiting
from frontend.accounts.guests import GuestsForm
from frontend.accounts.recruiting import RecruitingForm
from frontend.leads import members
from frontend.requests import AuthedRequest, answer_view, page_view, printable
from qualification import invitations
from tasks.people.messages import unread_by_leads
from tasks.prolific import connecting


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """Who is a member, in which role and since when, and what each has done lately."""
    project = access.led_project(request.user, slug)
    return page(request, project, GuestsForm())


def page(
    request: AuthedRequest,
    project: Project,
    form: GuestsForm,
    *,
    opening: RecruitingForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The People page with these forms, for inviting people and for opening the project."""
    words = printable(request.GET.get("q", ""))
    context = {
        "project": project,
        "members": members.members_page(project, by=request.user, page=request.GET.get("page", "1"), words=words),
        "former": members.former(project, words=words),
        "words": words,
        "invited": members.invitations_page(project, page=request.GET.get("invited", "1"), now=clock.now()),
        "unread": unread_by_leads(project)[:20],
        "form": form,
        "days": str(form["days"].value()),
        "mails": settings.EMAIL_HOST != "",
        "uses_prolific": connecting.is_on(),
        "recruiting": opening or recruiting.form_of(project),
        "join_address": request.build_absolute_uri("/")[:-1] + recruiting.address_of(project),
    }
    return render(request, "people/index.html", context, status=status)


@answer_view
def make(request: AuthedRequest, slug: str) -> HttpResponse:
    """Invite everybody on the list; the same form sent twice invites nobody again."""
    project = access.led_project(request.user, slug)
    form = GuestsForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, project, form, status=422)
    given: dict[str, Any] = {name: form.cleaned_data[name] for name in ("days", "key")}
    made = invitations.make(project, form.cleaned_data["read"], by=request.user, now=clock.now(), **given)
    if not made:
        messages.info(request, _("These people were invited already. Their links are shown only once: make new ones."))
        return redirect("people", slug=slug)
    return _links(request, project, made)


@answer_view
def renew(request: AuthedRequest, slug: str, invite: int) -> HttpResponse:
    """Make a new link for an invitation that was not used; its old link stops working."""
    found = access.led_invite(request.user, slug, invite)
    return _links(request, found.project, [invitations.renew(found, by=request.user, now=clock.now())])


@answer_view
def revoke(request: AuthedRequest, slug: str, invite: int) -> HttpResponse:
    """Make the link of an invitation stop working."""
    found = access.led_invite(request.user, slug, invite)
    invitations.revoke(found, by=request.user, now=clock.now())
    messages.success(request, _("The link no longer works. A new one can be made at any time."))
    return redirect(f"{reverse('people', args=[slug])}#invitations")


def _links(request: AuthedRequest, project: Project, made: Iterable[invitations.MadeInvitation]) -> HttpResponse:
    rows = [(one.invite, request.build_absolute_uri(reverse("join", args=[one.token]))) for one in made]
    sent = mails.invite(rows, project=project) if settings.EMAIL_HOST else 0
    lines = ((one.name, one.email, one.role, link) for one, link in rows)
    table = "".join("\t".join(map(csv_cells.harmless, line)) + "\n" for line in lines)
    context = {"project": project, "rows": rows, "table": table, "sent": sent, "until": rows[0][0].expires_at}
    return render(request, "people/links.html", context)


@answer_view
def change(request: AuthedRequest, slug: str) -> HttpResponse:
    """Save who may join, and what they are shown at the end."""
    project = access.led_project(request.user, slug)
    form = recruiting.form_of(project, request.POST)
    if not form.is_valid():
        return page(request, project, GuestsForm(), opening=form, status=422)
    projects.set_recruiting(project, form.chosen(), by=request.user, now=clock.now())
    messages.success(request, _("Saved."))
    return redirect("people", slug=slug)
