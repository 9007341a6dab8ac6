"""Tells a script whether what its device kept of a stage and never sent can still be used."""

from __future__ import annotations

import uuid as uuids

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from frontend import access
from frontend.requests import AuthedRequest
from frontend.views.draft import data_of
from frontend.work import unsent
from frontend.work.forms import tokens
from tasks.engine import assignments


@login_required
@require_POST
def show(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """204: it has arrived already. 200: it may be restored. 409: a dialog with both versions, as newer work exists."""
    assignment = access.own_assignment(request.user, uuid)
    work = assignments.work_of(assignment)
    access.stage_of(work, step)
    data, number = data_of(request), tokens.number_of
    client, key = tokens.uuid_of(request, "client"), tokens.uuid_of(request, "submission_key")
    found = unsent.Kept(data, number(request, "seen"), client, number(request, "seq"), number(request, "base"), key)
    return unsent.answer(request, assignment, work, step, found)
