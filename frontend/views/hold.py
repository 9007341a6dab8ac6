"""Who holds work, and for how long: the clock starts anew, and the tab that was opened last counts."""

from __future__ import annotations

import uuid as uuids
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from annotation import clock
from annotation.errors import StalePage
from frontend import access, fence, versions
from tasks import closing, leases, submitting, tabs


@login_required
@require_POST
def renew(request: HttpRequest, uuid: uuids.UUID) -> HttpResponse:
    """Somebody is at work: start the clock anew. 0 seconds where the time had ended, 409 where the work is closed."""
    assignment, now = access.own_assignment(request.user, uuid), clock.now()
    if not access.in_hand(assignment):
        return versions.refusal(closing.why(assignment))
    try:
        tabs.check(assignment, fence.tab_of(request))
    except versions.CONFLICTS as refused:
        return versions.refusal(refused)
    until = leases.renew(assignment.lease, now=now)
    return JsonResponse({"expires_in": _seconds(until, now)})


@login_required
@require_POST
def take(request: HttpRequest, uuid: uuids.UUID) -> HttpResponse:
    """The work was opened in this tab, or taken back into it: this one counts. Says how the work stands."""
    assignment, tab, now = access.own_assignment(request.user, uuid), fence.tab_of(request), clock.now()
    if not access.in_hand(assignment):
        return versions.refusal(closing.why(assignment))
    if tab is None:
        raise StalePage
    tabs.take_over(assignment, client=tab.client, by=request.user, now=now)
    until = leases.renew(assignment.lease, now=now)
    return JsonResponse({"seen": submitting.work_of(assignment).seen, "expires_in": _seconds(until, now)})


def _seconds(until: datetime | None, now: datetime) -> int:
    return int((until - now).total_seconds()) if until else 0
