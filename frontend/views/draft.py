"""Drafts save themselves."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from annotation import clock
from annotation.errors import PayloadInvalid, Problem
from annotation.strictjson import JsonRefused, strict_loads
from frontend import access, fence, versions
from tasks import drafting, submitting, tabs

MAX_DRAFT = 100_000
"""Characters of one draft."""


@login_required
@require_POST
def save(request: HttpRequest, uuid: uuids.UUID, stage: str) -> HttpResponse:
    """Keep what is on the screen and renew the lease; 409 with both versions where another page has overtaken it."""
    assignment = access.own_assignment(request.user, uuid)
    tab, seq, data = _posted(request)
    seen, work = fence.seen_of(request), submitting.work_of(assignment)
    try:
        draft = drafting.save(assignment, stage, data, by=request.user, tab=tab, seq=seq, seen=seen, now=clock.now())
    except versions.CONFLICTS as refused:
        sent = data | {"seen": str(seen)}
        return versions.conflict(request, refused, assignment, work, stage, sent=sent)
    return JsonResponse({"saved_at": draft.saved_at.isoformat(), "seq": draft.seq})


def _posted(request: HttpRequest) -> tuple[tabs.Tab, int, dict[str, Any]]:
    tab = fence.tab_of(request)
    try:
        text = request.POST.get("data", "")
        seq = int(request.POST.get("seq", ""))
        data = strict_loads(text[: MAX_DRAFT + 1])
    except (ValueError, JsonRefused):
        raise PayloadInvalid((Problem("data", "draft", "This is no draft."),)) from None
    if tab is None or not isinstance(data, dict) or len(text) > MAX_DRAFT or not 0 <= seq < 2**31:
        raise PayloadInvalid((Problem("data", "draft", "This is no draft."),))
    return tab, seq, data
