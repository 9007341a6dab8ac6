"""What a lead decides about finished work, each time with a reason: leave out, take in again, give back."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation import clock, exclusion
from annotation.models import Item
from frontend import access
from frontend.requests import AuthedRequest
from tasks import corrections


@login_required
@require_POST
def exclude(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """One annotation stays out of later releases."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    exclusion.exclude(row.item.project, uuids=[row.uuid], **_decided(request))
    return _back(request, row.item, _("Left out. Releases that are frozen keep it; you can take it in again."))


@login_required
@require_POST
def restore(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """One annotation counts again."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    exclusion.restore(row.item.project, uuids=[row.uuid], **_decided(request))
    return _back(request, row.item, _("Taken in again. The next release can have it."))


@login_required
@require_POST
def reopen(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """The author of finished work is asked to look at it again."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    opened = corrections.reopen(row.item.project, row.uuid, **_decided(request))
    said = _("Given back to %(who)s, who is offered it before anything else.")
    return _back(request, row.item, said % {"who": opened.annotator.worker_code})


@login_required
@require_POST
def exclude_all(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Every finished annotation of an item stays out of later releases."""
    item = access.led_item(request.user, slug, item_id)
    n = len(exclusion.exclude(item.project, item=item, **_decided(request)))
    said = ngettext("%(n)s annotation is left out.", "%(n)s annotations are left out.", n)
    return _back(request, item, said % {"n": n})


@login_required
@require_POST
def restore_all(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """What was left out of an item counts again."""
    item = access.led_item(request.user, slug, item_id)
    n = len(exclusion.restore(item.project, item=item, **_decided(request)))
    said = ngettext("%(n)s annotation is taken in again.", "%(n)s annotations are taken in again.", n)
    return _back(request, item, said % {"n": n})


def _decided(request: AuthedRequest) -> dict:
    return {"by": request.user, "reason": request.POST.get("reason", ""), "now": clock.now()}


def _back(request: AuthedRequest, item: Item, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("item", slug=item.project.slug, item_id=item.pk)
