"""Recover what a device kept but never sent: it may be restored, has arrived already, or conflicts with newer work."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from annotation.engine import committing
from annotation.engine.work import Work
from annotation.models import Draft, Response
from annotation.values.records import Step
from frontend.work import conflicts, revoked
from frontend.work.csp import allow_frame
from frontend.work.holds.any_hold import AnyHold
from tasks.models import Assignment


@dataclass(frozen=True)
class Kept:
    """Form fields as a page load (`client`) kept them on the device, and the versions that it was based on.

    `seen`: how many responses existed; `base`: the number of the draft it showed; `seq`: the number of the kept draft;
    `key`: the idempotency key if it was to be sent as an answer.
    """

    data: dict[str, Any]
    seen: int
    client: uuids.UUID | None
    seq: int
    base: int
    key: uuids.UUID | None


def answer(request: HttpRequest, held: AnyHold, work: Work, step: str, kept: Kept) -> HttpResponse:
    """204: it or the same has arrived already, it is empty, or about what a partner took back. 200: nothing newer
    exists. 409: a dialog with both versions.

    For revoked work, only the raw fields are shown, and none of the text that they refer to.
    """
    if held.hides:
        mine = conflicts.as_sent(work, step, kept.data, at=None)
        return _conflict(request, mine=mine, sent=kept.key is not None) if mine else HttpResponse(status=204)
    if work.has_gone(step):
        return HttpResponse(status=204)
    draft = work.draft(step)
    both = conflicts.both_versions(work, step, kept.data, drafted=kept.seen == work.seen_at(step))
    if both.mine is None or _has_arrived(held, work, step, draft, kept):
        return HttpResponse(status=204)
    still_open = held.in_hand and kept.seen == work.seen_at(step) and _may_be_answered(work, step)
    if still_open and _no_newer_draft(draft, kept):
        return HttpResponse(status=200)
    if still_open and both.is_same and draft and not kept.key:
        return HttpResponse(status=204)
    then = work if work.reached(step) else work.when_reached(step)
    return _conflict(
        request,
        asked=then.sheet(step).prompt,
        both=both,
        mine=both.mine,
        theirs=both.theirs,
        sent=kept.key is not None,
        choice=still_open,
        seq=draft.seq if draft else 0,
    )


def _conflict(request: HttpRequest, **context: Any) -> HttpResponse:
    return render(request, "work/_kept.html", context, status=409)


def _may_be_answered(work: Work, step: str) -> bool:
    return work.reached(step) and not work.locked(step)


def _no_newer_draft(draft: Draft | None, kept: Kept) -> bool:
    """Whether no other page has saved a draft since."""
    if draft is None or draft.seq == kept.base:
        return True
    return draft.client == kept.client and draft.seq <= kept.seq


def _has_arrived(held: AnyHold, work: Work, step: str, draft: Draft | None, kept: Kept) -> bool:
    """Whether it arrived after all, or another page has stored the same."""
    keys = work.keys_of(kept.key) if kept.key else ()
    if keys and Response.objects.filter(author=held.person, submission_key__in=keys).exists():
        return True
    if draft and not kept.key:
        same = _without_view(draft.data) == _without_view(kept.data)
        if same or (draft.client == kept.client and draft.seq >= kept.seq):
            return True
    at = Step.at(step)
    since = work.counted(step)[kept.seen :]
    answered = {row.body_sha256 for row in since if (row.stage, row.turn) == (at.stage, at.turn)}
    return bool(answered) and _is_answered(held, work, step, kept, answered)


def _without_view(data: dict[str, Any]) -> dict[str, Any]:
    """The fields without the scroll position and focus."""
    return {name: value for name, value in data.items() if name != "_view"}


def _is_answered(held: AnyHold, work: Work, step: str, kept: Kept, answered: Collection[str]) -> bool:
    """Whether all that it answers is among the hashes of answers since, or counts already."""
    form = held.form(work, step, conflicts.as_posted(kept.data))
    return form.is_valid() and all(
        committing.body_hash(step, said) in answered or conflicts.counts_already(part, step, said)
        for part, said in work.shares(form.payload())
    )


def page_of_expired(request: HttpRequest, assignment: Assignment, work: Work) -> HttpResponse:
    """Shows what was sent and what is drafted; "Go on with this" opens the stage as it was left."""
    project, step = assignment.task.item.project, work.step_to_show
    titles = {each.key: gettext(each.title) for each in work.activity.stages}
    context = {
        "title": project.title,
        "ended_at": assignment.lease.expires_at,
        "asked": work.sheet(step).prompt,
        "said": [(titles[entry.stage], conflicts.answered_version(work, entry)) for entry in work.own],
        "draft": conflicts.drafted_version(work, step),
        "draft_stage": gettext(work.stage(step).title),
        "on_url": reverse("stage", args=[assignment.uuid, step]),
        "way": revoked.way_on(assignment),
    }
    return allow_frame(request, render(request, "work/expired.html", context))
