"""Autosave: drafts, the interaction traces posted with them, and texts that a device had kept."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from django.http import HttpResponse, JsonResponse

from annotation import clock
from annotation.errors import PayloadInvalid, Problem
from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.values.records import Step
from annotation.worktime import spans, traces
from frontend import access
from frontend.requests import AuthedRequest, action_view
from frontend.views.lease import time_left
from frontend.work import conflicts, unsent
from frontend.work.forms import tokens
from frontend.work.holds.any_hold import AnyHold
from tasks.engine import tabs

MAX_DRAFT = 100_000
"""Maximum length of one draft, in characters."""
MAX_VIEW = 1000
"""Maximum length of the scroll position and focus, in characters of JSON."""


@action_view
def save(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """Save the draft and renew the lease; 409 with both versions if another page has saved since.

    A screen that is left without a change posts only its traces and position: reading saves no draft. Nor does a screen
    whose step has gone, since a partner took back what it was about: its time counts, and it learns that it is `gone`.
    """
    held = access.own_hold(request.user, uuid)
    if held.work().has_gone(step):
        return JsonResponse({"kept": keep_traces(request, held, step), "gone": True})
    if "trace" in request.POST and "data" not in request.POST:
        held.work().stage(step)
        _keep_place(request, held, step)
        return JsonResponse({"kept": keep_traces(request, held, step)})
    return _save(request, held, step)


def _save(request: AuthedRequest, held: AnyHold, step: str) -> HttpResponse:
    tab, seq, data = _posted(request)
    seen, work, now = tokens.seen_of(request), held.work(), clock.now()
    try:
        draft = held.save_draft(step, data, tab=tab, seq=seq, seen=seen, now=now)
    except conflicts.CONFLICTS as refused:
        keep_traces(request, held, step)  # the time counts even if the draft is refused
        sent = data | {"seen": str(seen)}
        return conflicts.conflict(request, refused, held, work, step, sent=sent)
    keep_traces(request, held, step)
    said = {"saved_at": draft.saved_at.isoformat(), "seq": draft.seq}
    return JsonResponse({**said, **time_left(work.activity, held.ends_at(), now=now)})


def _keep_place(request: AuthedRequest, held: AnyHold, step: str) -> None:
    """Store the scroll position and focus if the page sent them; ignore what is malformed."""
    tab, text = tokens.tab_of(request), request.POST.get("view", "")
    try:
        view = strict_loads(text) if 0 < len(text) <= MAX_VIEW else None
    except JsonRefused:
        view = None
    if tab is not None and isinstance(view, dict):
        held.save_place(client=tab.client, step=step, view=view, now=clock.now())


def keep_traces(request: AuthedRequest, held: AnyHold, step: str) -> int:
    """Store the posted interaction traces and the time spent; return the number of batches."""
    text, client, sent = (request.POST.get(name, "") for name in ("trace", "client", "sent"))
    try:
        known = uuids.UUID(client)
    except ValueError:
        return 0
    return traces.keep(
        held.traced,
        text,
        by=request.user,
        client=known,
        now=clock.now(),
        sent=int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 16 else None,
        place=_place(held, step),
        stage=step,
    )


def _place(held: AnyHold, step: str) -> spans.BookedWork | None:
    """What the time of a stage is booked on; None for a stage that the work doesn't have, or if none is counted."""
    work = held.work()
    known = Step.at(step).stage in {each.key for each in work.activity.stages}
    return held.booked(work, step) if known else None


def _posted(request: AuthedRequest) -> tuple[tabs.PageLoad, int, dict[str, Any]]:
    tab = tokens.tab_of(request)
    data = data_of(request)
    try:
        seq = int(request.POST.get("seq", ""))
    except ValueError:
        raise _malformed_draft() from None
    if tab is None or not 0 <= seq < 2**31:
        raise _malformed_draft()
    return tab, seq, data


def _malformed_draft() -> PayloadInvalid:
    return PayloadInvalid((Problem("data", "draft", "This is not a draft."),))


def data_of(request: AuthedRequest) -> dict[str, Any]:
    """The form fields that a script posts as JSON: {name: value or list}; PayloadInvalid for anything else."""
    text = request.POST.get("data", "")
    try:
        data = strict_loads(text[: MAX_DRAFT + 1])
    except JsonRefused:
        raise _malformed_draft() from None
    if not isinstance(data, dict) or len(text) > MAX_DRAFT:
        raise _malformed_draft()
    return data


@action_view
def show(request: AuthedRequest, uuid: uuids.UUID, step: str) -> HttpResponse:
    """204: it has arrived already. 200: it may be restored. 409: a dialog with both versions, as newer work exists."""
    held = access.own_hold(request.user, uuid)
    work = held.work()
    access.stage_of(work, step)
    data, number = data_of(request), tokens.number_of
    client, key = tokens.uuid_of(request, "client"), tokens.uuid_of(request, "submission_key")
    found = unsent.Kept(data, number(request, "seen"), client, number(request, "seq"), number(request, "base"), key)
    return unsent.answer(request, held, work, step, found)
