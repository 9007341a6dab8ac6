"""Replace the first of two conflicting versions of an answer with the second, at its author's request."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation import clock
from annotation import protocol as registry
from annotation.errors import PayloadInvalid
from frontend import access
from frontend.requests import AuthedRequest
from frontend.views.work import answer_with, form_problems, onward
from frontend.work import conflicts, form_tokens, search
from tasks import assignments, corrections


@login_required
@require_POST
def replace(request: AuthedRequest, uuid: uuids.UUID, stage: str) -> HttpResponse:
    """Commit the second version; shows both again if the first has changed meanwhile."""
    assignment = access.own_assignment(request.user, uuid)
    work, key, seen = assignments.work_of(assignment), form_tokens.key_of(request), form_tokens.seen_of(request)
    access.stage_of(work, stage)
    form = registry.form_of(work.protocol.key, stage)(search.with_query(request.POST, assignment, work.activity))
    if not form.is_valid():
        raise PayloadInvalid(tuple(form_problems(form)))
    try:
        outcome = corrections.replace(
            assignment, stage, form.payload(), by=request.user, key=key, seen=seen, now=clock.now()
        )
    except conflicts.CONFLICTS as refused:
        return conflicts.conflict(request, refused, assignment, work, stage, sent=request.POST)
    if outcome.following is not None:
        return answer_with(request, assignment, work=outcome.work)
    messages.success(request, _("Replaced. Your second answer counts now."))
    return onward(request, assignment, work, said={})
