"""Polled by a page that waits for a partner; also fetched when a poke over the socket says that something changed."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from frontend import access
from frontend.requests import AuthedRequest
from frontend.views.work import answer_with
from frontend.work import live
from frontend.work.messages import TAKEN_BACK
from tasks.engine import assignments


@login_required
@never_cache
@require_GET
def now(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """The live partial of the person's page, or the whole screen for a script that shows another step (X-Step).

    NotFound for work with one seat, which has none.
    """
    assignment = access.own_open_assignment(request.user, uuid)
    work = assignments.work_of(assignment)
    if len(work.activity.seats) == 1:
        raise NotFound
    step = live.step_of(work)
    if work.has_gone(request.headers.get("X-Step", "")):
        messages.info(request, TAKEN_BACK)
    if not request.htmx or request.headers.get("X-Step", step) == step:
        return live.fragment(request, work)
    response = answer_with(request, assignment, work=work)
    response["X-Step"] = step
    return response
