"""A lead tries the task of an item: begin a trial, and see the finished one beside the item's answers."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock, membership
from annotation.errors import NotFound
from annotation.models import Role
from frontend import access
from frontend.leads.courses import writing
from frontend.leads.items import trying
from frontend.requests import AuthedRequest
from qualification import tries


@login_required
@require_POST
def begin(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Open the work screen of a new trial, or of the one that the lead has not finished."""
    item = access.led_item(request.user, slug, item_id)
    held = tries.begin_trial(item, request.POST.get("activity", ""), by=request.user, now=clock.now())
    tries.take_up(request.user, held.uuid)
    return redirect("work", held.uuid)


@login_required
@require_POST
def put_away(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Take an open trial, of a task or of an exam, off the lead's home page."""
    tries.put_away(request.user, uuid, now=clock.now())
    messages.success(request, _("The trial is put away. You can try it again from its own page."))
    return redirect("home")


@login_required
@never_cache
@require_GET
def show(request: AuthedRequest, slug: str, item_id: int, uuid: uuids.UUID) -> HttpResponse:
    """A finished trial of one's own; one that was to be a reference leads back to where it was begun."""
    item, held = access.reference_item(request.user, slug, item_id), access.own_try(request.user, uuid)
    if held.annotation.item_id != item.pk or held.annotation.completed_at is None:
        raise NotFound
    if Role.LEAD not in membership.roles_of(request.user, item.project):
        messages.success(request, _("Your reference is kept. A lead chooses which ones count."))
        return redirect("references", slug)
    if page := writing.page_for(request, held):
        return redirect(page)
    return render(request, "project/items/tried.html", trying.finished_trial(held))
