"""Polled by a page that waits for a partner; also fetched when a poke over the socket says that something changed."""

from __future__ import annotations

import uuid as uuids

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from frontend import access
from frontend.requests import AuthedRequest
from frontend.work import live
from tasks import assignments


@login_required
@never_cache
@require_GET
def now(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """The live partial of the person's page; NotFound for work with one seat, which has none."""
    work = assignments.work_of(access.own_open_assignment(request.user, uuid))
    if len(work.activity.seats) == 1:
        raise NotFound
    return live.fragment(request, work)
