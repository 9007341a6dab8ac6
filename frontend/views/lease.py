"""Renew the lease of an assignment, and move it to the tab that was opened last."""

from __future__ import annotations

import uuid as uuids
from datetime import datetime, timedelta
from typing import Any, NotRequired, TypedDict

from django.http import HttpResponse, JsonResponse

from annotation import clock
from annotation.engine import drafts
from annotation.engine.work import Work
from annotation.errors import StalePage
from annotation.protocol import Activity
from frontend import access
from frontend.requests import AuthedRequest, action_view
from frontend.templatetags.goldfinch import moment
from frontend.work import conflicts, revoked
from frontend.work.forms import tokens
from frontend.work.holds.any_hold import AnyHold
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks.engine import assignments, leases
from tasks.pairs import turn_time

BLOCK_ENDS = "D j M H:i"
"""How work/base.html writes when a block ends."""


@action_view
def renew(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Renew the lease (`idle`: seconds since input). `expires_in` is 0 if it had expired; 410 if the work is closed."""
    assignment, now = access.own_assignment(request.user, uuid), clock.now()
    if not access.in_hand(assignment):
        return _closed(AssignmentHold(assignment))
    try:
        drafts.check_tab(assignment.client, tokens.tab_of(request))
    except conflicts.CONFLICTS as refused:
        return conflicts.refusal(refused)
    until = leases.renew(assignment.lease, now=now)
    if "idle" in request.POST and len(assignments.activity_of(assignment).seats) > 1:
        idle = timedelta(seconds=tokens.number_of(request, "idle"))
        turn_time.note_input(assignment, at=now - idle)
    return JsonResponse(time_left(assignments.activity_of(assignment), until, now=now))


@action_view
def take(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """Make this tab the one that may write, after opening or "Take back"; return `seen` and the draft's version."""
    held, tab, now = access.own_hold(request.user, uuid), tokens.tab_of(request), clock.now()
    if not held.in_hand:
        return _closed(held)
    if tab is None:
        raise StalePage
    held.take_over(client=tab.client, now=now)
    until, work = held.renewed(now=now), held.work()
    step = request.POST.get("stage", "")[:40]
    seen = work.seen_at(step) if step else work.seen
    said = {"seen": seen, "draft": _saved(work, step)}
    return JsonResponse({**said, **time_left(work.activity, until, now=now)})


def _saved(work: Work, step: str) -> dict[str, Any] | None:
    """The page load that saved the draft of a stage, and the draft's number."""
    draft = work.draft(step)
    return {"client": str(draft.client), "seq": draft.seq} if draft else None


def _closed(held: AnyHold) -> HttpResponse:
    """410 for the script of an open page, which must not mistake this for a lost connection."""
    why = held.why_closed()
    said = why.reason if isinstance(why, revoked.AWAY) else held.state
    return HttpResponse(status=410, headers={"X-Closed": said})


class TimeLeft(TypedDict):
    """`expires_in`, in seconds, and for a block `until`: its end as HTML, which the page shows."""

    expires_in: int
    until: NotRequired[str]


def time_left(activity: Activity, until: datetime | None, *, now: datetime) -> TimeLeft:
    """How long work is still held."""
    left: TimeLeft = {"expires_in": seconds_to(until, now)}
    if until and activity.block:
        left["until"] = moment(until, BLOCK_ENDS)
    return left


def seconds_to(until: datetime | None, now: datetime) -> int:
    """Whole seconds left; 0 if it has expired, also for None."""
    return max(0, int((until - now).total_seconds())) if until else 0
