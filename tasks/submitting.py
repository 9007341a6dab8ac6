"""Finish a stage or a whole assignment; the same POST twice takes effect once."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Q, QuerySet, UUIDField

from annotation import events, recording
from annotation.db.compiled import Param, Prepared
from annotation.errors import AlreadyClosed, KeyReused, PayloadInvalid, StageLocked, StalePage
from annotation.models import Draft, Response, User
from annotation.work import Work, add_response, finish_work
from tasks import assignments, late_work, leases, settling, tabs, transitions
from tasks.models import Assignment
from tasks.states import AssignmentState
from tasks.transactions import retry_on_conflict


@dataclass(frozen=True)
class Outcome:
    """What a commit did: the next stage (None: complete), whether it was a repetition, or finished work late.

    `adopted`: late, and it has a slot. `late`: why late work has none (a word of `late_work.adopt`), else "".
    """

    next_stage: str | None
    replayed: bool = False
    adopted: bool = False
    late: str = ""


def body_hash(stage: str, payload: dict[str, Any]) -> str:
    """What a submission key stands for: the stage and the answer."""
    return hashlib.sha256(orjson.dumps([stage, payload], option=orjson.OPT_SORT_KEYS)).hexdigest()


@retry_on_conflict
@transaction.atomic
@events.together()
def commit(
    assignment: Assignment,
    stage: str,
    payload: dict[str, Any],
    *,
    by: User,
    key: uuid.UUID,
    seen: int,
    now: datetime,
    tab: tabs.Tab | None = None,
) -> Outcome:
    """Write the answer of one stage; the last stage's completes the work.

    `key` makes a repetition harmless, `seen` is how many responses the page knew, `tab` is the page load that speaks.
    Raises KeyReused, TakenOver, StalePage, StageLocked, AlreadyClosed or PayloadInvalid, and then nothing was written.
    """
    drafted = assignments.lock(assignment)
    if assignment.state == AssignmentState.EXPIRED:
        assignment = assignments.held_again(assignment) or assignment
    body = body_hash(stage, payload)
    work = assignments.work_of(assignment)
    earlier = _said(work, by=by, key=key)
    if earlier is not None:
        if (earlier.annotation_id, earlier.body_sha256) != (assignment.annotation_id, body):
            raise KeyReused
        events.record("assignment.replayed", assignment, by=by, now=now, stage=stage)
        return Outcome(next_stage=work.current, replayed=True)
    revising = assignments.in_open_block(assignment)
    if assignment.state not in (AssignmentState.LEASED, AssignmentState.EXPIRED) and not revising:
        raise assignments.why_closed(assignment)
    tabs.check(assignment, tab)
    found = _fresh(work, stage, seen, revising=revising)
    if drafted:
        _drop_draft(work, stage, tab)
    answer = _checked(work, found.key, payload)
    revisions = sum(response.stage == stage for response in work.responses)
    response = recording.append(
        work.annotation,
        author=by,
        stage=found,
        payload=answer,
        revision=revisions + 1,
        now=now,
        seconds=_seconds(work, assignment, now=now),
        submission_key=key,
        body_sha256=body,
    )
    add_response(work, response)
    following = work.protocol.next_stage(work.activity.key, work.so_far)
    if following is None and not revising:
        return _complete(assignment, work, by=by, now=now)
    if assignment.state != AssignmentState.EXPIRED:
        leases.renew(assignment.lease, now=now)
    else:
        late_work.take_up_again(assignment, now=now)
    return Outcome(next_stage=following)


def _drop_draft(work: Work, stage: str, tab: tabs.Tab | None) -> None:
    """The draft of the stage has done its work; TakenOver where it is of another page and was never shown here."""
    mine = Draft.objects.filter(annotation=work.annotation, stage=stage)
    if tab is not None:
        mine = mine.filter(Q(client=tab.client) | Q(seq=tab.base))
    deleted, _ = mine.delete()
    if not deleted:
        tabs.check_draft(work.draft(stage), tab)


def _said(work: Work, *, by: User, key: uuid.UUID) -> Response | None:
    """The response that this key has brought before, wherever; with it come those of the work."""
    found = _answers(annotation=work.annotation.pk, author=by.pk, key=key)
    work.responses = [row for row in found if row.annotation_id == work.annotation.pk]
    return next((row for row in found if (row.author_id, row.submission_key) == (by.pk, key)), None)


@Prepared
def _answers() -> QuerySet:
    same_key = Q(author=Param("author"), submission_key=Param("key", UUIDField()))
    return Response.objects.filter(Q(annotation=Param("annotation")) | same_key).order_by("pk")


def _fresh(work: Work, stage: str, seen: int, *, revising: bool):
    """The stage, if the page that speaks is up to date and the stage may be answered (again)."""
    if work.annotation.completed_at is not None and not revising and not work.reopened:
        raise AlreadyClosed
    if seen != work.seen and not work.reached(stage):
        raise StalePage  # another page may have cut the stage away
    found = work.stage(stage)
    if work.locked(found):
        raise StageLocked
    if seen != work.seen:
        raise StalePage
    return found


def _checked(work: Work, stage: str, payload: dict[str, Any]) -> Any:
    found = work.activity.stage(stage)
    answer = recording.validated(found, payload)
    before = tuple(entry for entry in work.so_far if entry.stage != stage)
    problems = work.protocol.check(stage, answer, work.record, before)
    if problems:
        raise PayloadInvalid(tuple(problems))
    return answer


def _seconds(work: Work, assignment: Assignment, *, now: datetime) -> float:
    """Server time since the previous commit or the claim, at most the lease."""
    since = max([assignment.claimed_at, *(response.created_at for response in work.responses)])
    return min((now - since).total_seconds(), assignment.lease.queue.lease_minutes * 60.0)


def _complete(assignment: Assignment, work: Work, *, by: User, now: datetime) -> Outcome:
    """The work is whole: hand it in, or judge it as late work."""
    if assignment.state == AssignmentState.LEASED:
        transitions.assignment(assignment, AssignmentState.SUBMITTED, by=by, now=now)
        finish_work(work, now=now)
        if work.activity.block:
            leases.close_and_settle(assignment.lease, now=now)
        elif leases.close_if_done(assignment.lease, now=now):
            settling.settle(assignment.task, by=by, now=now)
        return Outcome(next_stage=None)
    late = late_work.adopt(assignment, now=now)
    if late:
        recording.complete(work.annotation, now=now)
        return Outcome(next_stage=None, late=late)
    finish_work(work, now=now)
    settling.settle(assignment.task, by=by, now=now)
    return Outcome(next_stage=None, adopted=True)
