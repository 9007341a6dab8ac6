"""Drafts save themselves."""

from __future__ import annotations

import uuid as uuids

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from annotation import clock, traces, working
from annotation.errors import PayloadInvalid, Problem
from annotation.strictjson import JsonRefused, strict_loads
from frontend import access
from tasks import leases, submitting
from tasks.models import Assignment

MAX_DRAFT = 100_000
"""Characters of one draft."""


@login_required
@require_POST
def save(request: HttpRequest, uuid: uuids.UUID, stage: str) -> JsonResponse:
    """Keep what is on the screen; a lower `seq` of the same page load changes nothing. Renews the lease.

    A screen that is left without a change sends its traces alone: reading saves no draft.
    """
    assignment, now = access.own_open_assignment(request.user, uuid), clock.now()
    submitting.work_of(assignment).stage(stage)
    if "trace" in request.POST and "data" not in request.POST:
        return JsonResponse({"kept": keep_traces(request, assignment, stage)})
    client, seq, data = _posted(request)
    with transaction.atomic():
        draft = working.save_draft(
            submitting.work_of(assignment),
            author=request.user, stage=stage, client=client, seq=seq, data=data, now=now,
        )  # fmt: skip
        leases.renew(assignment.lease, now=now)
    keep_traces(request, assignment, stage)
    return JsonResponse({"saved_at": draft.saved_at.isoformat(), "seq": draft.seq})


def keep_traces(request: HttpRequest, assignment: Assignment, stage: str) -> int:
    """Keep what came along of what the person did on the screen; how many batches that were."""
    text, client = request.POST.get("trace", ""), request.POST.get("client", "")
    try:
        known = uuids.UUID(client)
    except ValueError:
        return 0
    return traces.keep(assignment, text, by=request.user, client=known, now=clock.now(), stage=stage)


def _posted(request: HttpRequest) -> tuple[uuids.UUID, int, dict]:
    try:
        text = request.POST.get("data", "")
        client, seq = uuids.UUID(request.POST.get("client", "")), int(request.POST.get("seq", ""))
        data = strict_loads(text[: MAX_DRAFT + 1])
    except (ValueError, JsonRefused):
        raise PayloadInvalid((Problem("data", "draft", "This is no draft."),)) from None
    if not isinstance(data, dict) or len(text) > MAX_DRAFT or not 0 <= seq < 2**31:
        raise PayloadInvalid((Problem("data", "draft", "This is no draft."),))
    return client, seq, data
