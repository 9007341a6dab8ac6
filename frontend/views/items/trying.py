"""Tries of an item on the work screen: a lead's trial of its task, and references for exams that experts write."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock, membership
from annotation.errors import NotFound
from annotation.models import Role
from frontend import access
from frontend.experts import references as written
from frontend.leads.courses import real_pages
from frontend.leads.items import as_seen
from frontend.requests import AuthedRequest, action_view, page_view
from qualification import tries


@action_view
def begin(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Open the work screen of a new trial, or of the one that the lead has not finished."""
    item = access.led_item(request.user, slug, item_id)
    held = tries.begin_trial(item, request.POST.get("activity", ""), by=request.user, now=clock.now())
    tries.take_up(request.user, held.uuid)
    return redirect("work", held.uuid)


@action_view
def put_away(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Take an open trial, of a task or of an exam, off the lead's home page."""
    tries.put_away(request.user, uuid, now=clock.now())
    messages.success(request, _("The trial is put away. You can try it again from its own page."))
    return redirect("home")


@page_view
def show(request: AuthedRequest, slug: str, item_id: int, uuid: uuids.UUID) -> HttpResponse:
    """A finished trial of one's own; one that was to be a reference leads back to where it was begun."""
    item, held = access.reference_item(request.user, slug, item_id), access.own_try(request.user, uuid)
    if held.annotation.item_id != item.pk or held.annotation.completed_at is None:
        raise NotFound
    if Role.LEAD not in membership.roles_of(request.user, item.project):
        messages.success(request, _("Your reference is kept. A lead chooses which ones count."))
        return redirect("references", slug)
    if page := real_pages.page_for(request, held):
        return redirect(page)
    return render(request, "project/items/tried.html", as_seen.finished_trial(held))


@page_view
def references(request: AuthedRequest, slug: str) -> HttpResponse:
    """The items that are set aside for exams."""
    project = access.dispute_project(request.user, slug)
    page, rows = written.to_write(request.user, project, page=request.GET.get("page", "1"))
    context = {
        "project": project,
        "leads": Role.LEAD in membership.roles_of(request.user, project),
        "items": page,
        "rows": rows,
    }
    return render(request, "experts/references.html", context)


@action_view
def write_reference(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Open the work screen to write a reference, or go on with the one that is begun."""
    item = access.reference_item(request.user, slug, item_id)
    held = tries.begin_trial(item, request.POST.get("activity", ""), by=request.user, now=clock.now())
    return redirect("work", held.uuid)
