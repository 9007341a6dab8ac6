"""A lead lets a participant group on Prolific hold who has a qualification."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from annotation import clock
from frontend import access
from frontend.leads.prolific.forms import GroupForm
from frontend.requests import AuthedRequest, action_view
from frontend.views.prolific.telling import told
from tasks.prolific import groups


@action_view
def add(request: AuthedRequest, slug: str) -> HttpResponse:
    """Fill a group from now on."""
    study = access.led_study(request.user, slug)
    form = GroupForm(study.project, request.POST)
    if not form.is_valid():
        messages.error(request, _("Give the id of a group, and a qualification."))
        return redirect("prolific", slug)
    chosen = form.cleaned_data
    with told(request):
        made = groups.add(study, chosen["qualification"], chosen["group_id"], by=request.user, now=clock.now())
        messages.success(request, _("“%(name)s” is filled within a minute.") % {"name": made.name})
    return redirect("prolific", slug)


@action_view
def drop(request: AuthedRequest, slug: str, group: int) -> HttpResponse:
    """Fill it no more."""
    row = access.led_group(request.user, slug, group)
    groups.drop(row, by=request.user, now=clock.now())
    messages.success(request, _("“%(name)s” is filled no more; on Prolific it stays as it is.") % {"name": row.name})
    return redirect("prolific", slug)
