"""The people of a project, and the invitations to it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation import clock
from annotation.models import Project
from frontend import access
from frontend.accounts import recruiting
from frontend.accounts.guests import GuestsForm
from frontend.accounts.recruiting import RecruitingForm
from frontend.leads import members
from frontend.requests import AuthedRequest, printable
from tasks.people import messages
from tasks.prolific import connecting


@login_required
@never_cache
@require_GET
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
        "unread": messages.unread_by_leads(project)[:20],
        "form": form,
        "days": str(form["days"].value()),
        "mails": settings.EMAIL_HOST != "",
        "uses_prolific": connecting.is_on(),
        "recruiting": opening or recruiting.form_of(project),
        "join_address": request.build_absolute_uri("/")[:-1] + recruiting.address_of(project),
    }
    return render(request, "people/index.html", context, status=status)
