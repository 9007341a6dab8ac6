"""Finish a stage or a whole assignment; the same POST twice takes effect once."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, UUIDField

from annotation import events, membership, recording
from annotation.db.compiled import Param, Prepared
from annotation.errors import AlreadyClosed, KeyReused, PayloadInvalid, StageLocked, StalePage
from annotation.models import Draft, Response, User
from annotation.work import Work, add_response, finish_work, work_on
from tasks import closing, leases, settling, tabs, transitions
from tasks.models import Assignment, Lease
from tasks.states import HOLDS_SLOT, AssignmentState
from tasks.transactions import retry_on_conflict


@dataclass(frozen=True)
class Outcome:
    """What a commit did: the next stage (None: complete), whether it was a repetition, or finished work late.

    `adopted`: late, and it has a slot. `late`: why late work has none (a word of `leases.adopt`), else "".
    """

    next_stage: str | None
    replayed: bool = False
    adopted: bool = False
    late: str = ""


def work_of(assignment: Assignment) -> Work:
    """The work behind an assignment that was loaded with its task, item and project."""
    item = assignment.task.item
    return work_on(
        assignment.annotation,
        item=item,
        protocol=item.project.protocol,
        activity=assignment.task.activity,
        seat=assignment.seat,
        leased=assignment.state == AssignmentState.LEASED,
    )


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
    drafted = lock(assignment)
    if assignment.state == AssignmentState.EXPIRED:
        assignment = held_again(assignment) or assignment
    body = body_hash(stage, payload)
    work = work_of(assignment)
    earlier = _said(work, by=by, key=key)
    if earlier is not None:
        if (earlier.annotation_id, earlier.body_sha256) != (assignment.annotation_id, body):
            raise KeyReused
        events.record("assignment.replayed", assignment, by=by, now=now, stage=stage)
        return Outcome(next_stage=work.current, replayed=True)
    revising = in_open_block(assignment)
    if assignment.state not in (AssignmentState.LEASED, AssignmentState.EXPIRED) and not revising:
        raise closing.why(assignment)
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
        leases.take_up_again(assignment, now=now)
    return Outcome(next_stage=following)


def next_in_block(assignment: Assignment) -> Assignment | None:
    """The first piece of the person's block that is still to be done, after this one if there is one there.

    That is the lease they have now: an answer from the page of an earlier one goes on there too.
    """
    lease = assignment.lease
    rows = Assignment.objects.filter(lease__annotator=lease.annotator_id, lease__project=lease.project_id)
    rows = rows.filter(lease__activity=lease.activity, lease__closed_at__isnull=True)
    rest = rows.filter(state=AssignmentState.LEASED).order_by("pk")
    return rest.filter(pk__gt=assignment.pk).first() or rest.first()


def held_again(expired: Assignment) -> Assignment | None:
    """The hold by which the person has the same task again: what comes from the old page is meant for it."""
    rows = Assignment.objects.filter(task=expired.task_id, annotator=expired.annotator_id, state__in=HOLDS_SLOT)
    found = rows.select_related("annotation", "lease__queue__project").first()
    if found is not None:
        found.task = expired.task
    return found


def in_open_block(assignment: Assignment) -> bool:
    """Whether this was committed in a block that is still open: then it may be revised."""
    return (
        assignment.state == AssignmentState.SUBMITTED
        and assignment.lease.closed_at is None
        and work_of(assignment).activity.block
    )


def lock(assignment: Assignment, *, also: Lease | None = None) -> bool:
    """Lock the task (with a block, all tasks that may move with it) and see how the assignment and its work stand.

    Where a claim in another activity may have shut out what was left here, the person's claims wait for us.
    Whether there is a draft.
    """
    activity = work_of(assignment).activity
    if activity.excludes and not activity.shows_at_claim:
        membership.lock_person(assignment.annotator, assignment.task.item.project)
    if activity.block or also is not None:
        transitions.lock_with_leases(assignment, also=also)
    else:
        transitions.lock_one(assignment.task)
    return _see_again(assignment)


def _see_again(assignment: Assignment) -> bool:
    """What may have changed since the assignment was read: its state, its lease, the completion. Is there a draft?"""
    before, found = assignment.lease_id, _standing.first(assignment=assignment.pk)
    assignment.state, assignment.slot, assignment.client, assignment.closed_at = found[:4]
    assignment.annotation.completed_at, closed, expires, lease, drafted = found[4:]
    if lease != before:
        assignment.lease = Lease.objects.select_related("queue__project").get(pk=lease)
    assignment.lease.closed_at, assignment.lease.expires_at = closed, expires
    return drafted


@Prepared
def _standing() -> QuerySet:
    drafts = Exists(Draft.objects.filter(annotation=OuterRef("annotation")))
    rows = Assignment.objects.filter(pk=Param("assignment"))
    own, of_lease = ("state", "slot", "client", "closed_at"), ("lease__closed_at", "lease__expires_at", "lease")
    return rows.values_list(*own, "annotation__completed_at", *of_lease, drafts)


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
    late = leases.adopt(assignment, now=now)
    if late:
        recording.complete(work.annotation, now=now)
        return Outcome(next_stage=None, late=late)
    finish_work(work, now=now)
    settling.settle(assignment.task, by=by, now=now)
    return Outcome(next_stage=None, adopted=True)
