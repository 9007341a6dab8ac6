"""A lead's decisions, each with a reason: exclude finished work, include it again, send it back, and about cases."""

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
from annotation.errors import NotFound
from annotation.models import CaseState, Item
from frontend import access
from frontend.leads.board.asked import after_deciding
from frontend.requests import AuthedRequest
from tasks import cases, corrections


@login_required
@require_POST
def exclude(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Exclude one annotation from later releases."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    exclusion.exclude(row.item.project, uuids=[row.uuid], **_decision_fields(request))
    return _back(request, row.item, _("Excluded. Frozen releases keep it; you can include it again."))


@login_required
@require_POST
def restore(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Include one annotation again."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    exclusion.restore(row.item.project, uuids=[row.uuid], **_decision_fields(request))
    return _back(request, row.item, _("Included again. The next release can contain it."))


@login_required
@require_POST
def reopen(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Send finished work back to its author."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    opened = corrections.reopen(row.item.project, row.uuid, **_decision_fields(request))
    said = _("Sent back to %(who)s, who is offered it before anything else.")
    return _back(request, row.item, said % {"who": opened.annotator.worker_code})


@login_required
@require_POST
def exclude_all(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Exclude every finished annotation of an item from later releases."""
    item = access.led_item(request.user, slug, item_id)
    n = len(exclusion.exclude(item.project, item=item, **_decision_fields(request)))
    said = ngettext("%(n)s annotation is excluded.", "%(n)s annotations are excluded.", n)
    return _back(request, item, said % {"n": n})


@login_required
@require_POST
def restore_all(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Include the excluded annotations of an item again."""
    item = access.led_item(request.user, slug, item_id)
    n = len(exclusion.restore(item.project, item=item, **_decision_fields(request)))
    said = ngettext("%(n)s annotation is included again.", "%(n)s annotations are included again.", n)
    return _back(request, item, said % {"n": n})


@login_required
@require_POST
def decide_case(request: AuthedRequest, slug: str, item_id: int, case: int, to: str) -> HttpResponse:
    """Uphold or dismiss a flag, accept short work or leave it out, or take that back."""
    row = access.led_case(request.user, slug, item_id, case)
    if to not in CaseState.values:
        raise NotFound
    cases.decide(row, CaseState(to), **_decision_fields(request))
    said = _("Taken back. It waits for a decision again.") if to == CaseState.OPEN else _("Decided.")
    return _back(request, row.annotation.item, said)


def _decision_fields(request: AuthedRequest) -> dict:
    return {"by": request.user, "reason": request.POST.get("reason", ""), "now": clock.now()}


def _back(request: AuthedRequest, item: Item, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect(after_deciding(request.POST, item.project.slug, item.pk))
