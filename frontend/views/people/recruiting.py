"""Open a project to whoever has its address, or close it again."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotation import clock, projects
from frontend import access
from frontend.accounts import recruiting
from frontend.accounts.guests import GuestsForm
from frontend.requests import AuthedRequest
from frontend.views.people import members


@login_required
@never_cache
@require_POST
def change(request: AuthedRequest, slug: str) -> HttpResponse:
    """Save who may join, and what they are shown at the end."""
    project = access.led_project(request.user, slug)
    form = recruiting.form_of(project, request.POST)
    if not form.is_valid():
        return members.page(request, project, GuestsForm(), opening=form, status=422)
    projects.set_recruiting(project, form.chosen(), by=request.user, now=clock.now())
    messages.success(request, _("Saved."))
    return redirect("people", slug=slug)
