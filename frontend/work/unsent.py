"""What a device kept and never sent: whether it may go on, is here already, or was overtaken and is shown again."""

from __future__ import annotations

import uuid as uuids
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation import committing
from annotation.models import Draft, Response
from annotation.records import Step
from annotation.work import Work
from frontend import access
from frontend.work import conflicts, revoked, search
from tasks.models import Assignment


@dataclass(frozen=True)
class Kept:
    """The fields of a form as a page load (`client`) kept them, and what that page knew.

    `seen` is how many responses that was, `base` the number of the draft it showed, `seq` the number of what is kept;
    `key` the submission key, where it was to be sent as an answer.
    """

    data: dict[str, Any]
    seen: int
    client: uuids.UUID | None
    seq: int
    base: int
    key: uuids.UUID | None


def answer(request: HttpRequest, assignment: Assignment, work: Work, stage: str, kept: Kept) -> HttpResponse:
    """204: it is here already, or says nothing. 200: nothing has come after what its page knew. 409: both versions.

    Of what was taken away nothing is shown but what is kept, as it is: no text that it names.
    """
    if revoked.hides(assignment):
        mine = conflicts.as_sent(kept.data, at=None)
        return _shown(request, mine=mine, sent=kept.key is not None) if mine else HttpResponse(status=204)
    draft = work.draft(stage)
    mine, theirs = conflicts.beside(work, stage, kept.data, drafted=kept.seen == work.seen_at(stage))
    if mine is None or _is_here(assignment, work, stage, draft, kept):
        return HttpResponse(status=204)
    open_still = access.in_hand(assignment) and kept.seen == work.seen_at(stage) and _may_be_answered(work, stage)
    if open_still and _goes_on(draft, kept):
        return HttpResponse(status=200)
    then = work if work.reached(stage) else work.when_reached(stage)
    return _shown(
        request,
        asked=then.sheet(stage).prompt,
        mine=mine,
        theirs=theirs,
        sent=kept.key is not None,
        choice=open_still,
        seq=draft.seq if draft else 0,
    )


def _shown(request: HttpRequest, **context: Any) -> HttpResponse:
    return render(request, "work/_kept.html", context, status=409)


def _may_be_answered(work: Work, stage: str) -> bool:
    return work.reached(stage) and not work.locked(stage)


def _goes_on(draft: Draft | None, kept: Kept) -> bool:
    """Whether no other page has saved a draft that the page of what is kept never showed."""
    if draft is None or draft.seq == kept.base:
        return True
    return draft.client == kept.client and draft.seq <= kept.seq


def _is_here(assignment: Assignment, work: Work, stage: str, draft: Draft | None, kept: Kept) -> bool:
    """Whether it arrived after all, or the same was said from elsewhere."""
    if kept.key and Response.objects.filter(author=assignment.annotator, submission_key=kept.key).exists():
        return True
    if draft and not kept.key:
        same = _said(draft.data) == _said(kept.data)
        if same or (draft.client == kept.client and draft.seq >= kept.seq):
            return True
    at = Step.at(stage)
    since = work.counted(stage)[kept.seen :]
    answered = [row.body_sha256 for row in since if (row.stage, row.turn) == (at.stage, at.turn)]
    return bool(answered) and _hash(assignment, work, stage, kept) in answered


def _said(data: dict[str, Any]) -> dict[str, Any]:
    """The fields without where the person was on the page."""
    return {name: value for name, value in data.items() if name != "_view"}


def _hash(assignment: Assignment, work: Work, stage: str, kept: Kept) -> str:
    form = search.posted_form(assignment, work, stage, conflicts.as_posted(kept.data))
    return committing.body_hash(stage, form.payload()) if form.is_valid() else ""
