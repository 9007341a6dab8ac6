"""Commit a step or a whole assignment: the record's `commit`, with the lock, the lease and the slot around it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from annotation import events
from annotation.engine import committing, drafts, recording
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import AlreadyClosed
from annotation.models import User
from annotation.values.records import Step, Waiting
from tasks.engine import assignments, late_work, leases, pokes, settling, similarity, transitions
from tasks.engine.transactions import service
from tasks.models import Assignment
from tasks.models.states import AssignmentState


@dataclass(frozen=True)
class CommitOutcome:
    """The result of a commit: the work as it is now; `replayed`: it was stored already, under the same key.

    `adopted`: finished late, with a slot. `late`: why late work got no slot (see `late_work.adopt`), else "".
    """

    work: Work
    following: Step | Waiting | None
    replayed: bool = False
    adopted: bool = False
    late: str = ""

    @property
    def next_step(self) -> str | None:
        """The address of the person's next step; None when the work is complete, or another seat is to answer."""
        return self.following.address if isinstance(self.following, Step) else None


@service
def commit(
    assignment: Assignment,
    step: str,
    payload: dict[str, Any],
    *,
    by: User,
    key: uuid.UUID,
    seen: int,
    now: datetime,
    tab: PageLoad | None = None,
    left: dict[str, Any] | None = None,
) -> CommitOutcome:
    """Write the answer to a step (given by its address); the answer to the last step completes the work.

    `key`: idempotency key; `seen`: optimistic lock, the number of responses the page knew; `tab`: the page load that
    sends. `left`: form fields that were entered but are no part of the answer; while a partner decides how it goes on,
    they are kept as the draft of the next turn. Raises what `committing.commit` raises; then nothing was written.
    """
    drafted = assignments.lock(assignment)
    if assignment.state == AssignmentState.EXPIRED:
        assignment = assignments.current_hold(assignment) or assignment
    hold, work = assignments.hold_of(assignment), assignments.work_of(assignment)
    revising = assignments.in_open_block(assignment)
    done = committing.commit(
        work,
        step,
        payload,
        hold=replace(hold, person=by),
        key=key,
        seen=seen,
        now=now,
        tab=tab,
        drafted=drafted,
        refused=None if revising else why_not_commit(assignment),
    )
    if done.repeated:
        events.record("assignment.replayed", assignment, by=by, now=now, stage=step)
        return CommitOutcome(done.work, done.work.following, replayed=True)
    if work.annotation.completed_at is not None:  # revised: the answers are as many as before, but not as alike
        similarity.forget(work.item, work.activity.key)
    pokes.partners(assignment, by=by)
    work, following = done.work, done.work.protocol.next_step(done.work.context())
    if following is None and not revising:
        return _complete(assignment, work, by=by, now=now)
    if left and isinstance(following, Waiting):
        drafts.keep_for_next_turn(work, Step.at(step), author=by, data=left, now=now)
    if assignment.state != AssignmentState.EXPIRED:
        leases.renew(assignment.lease, now=now)
    elif late_work.take_up_again(assignment, now=now):
        work = replace(work, leased=True)
    return CommitOutcome(work, following)


def why_not_commit(assignment: Assignment) -> AlreadyClosed | None:
    """Why this work can no longer be written to, or None; whether late work counts is decided once it is finished.

    Expired shared work can't be continued, since the partners' assignments ended with it.
    """
    alone = len(assignments.activity_of(assignment).seats) == 1
    if assignment.state == AssignmentState.LEASED or (assignment.state == AssignmentState.EXPIRED and alone):
        return None
    return assignments.why_closed(assignment)


def _complete(assignment: Assignment, work: Work, *, by: User, now: datetime) -> CommitOutcome:
    """Submit complete work for everybody who made it, or decide about it as late work."""
    if assignment.state == AssignmentState.LEASED:
        seats = leases.leased_seats(assignment)
        for held in seats:
            transitions.assignment(held, AssignmentState.SUBMITTED, by=by, now=now)
        committing.finish(work, now=now)
        if work.activity.held_until_locked:
            leases.renew(assignment.lease, now=now)
            return CommitOutcome(work, None)
        if work.activity.block:
            leases.close_and_settle(assignment.lease, now=now)
            return CommitOutcome(work, None)
        for held in seats:
            leases.close_if_done(held.lease, now=now)
        settling.settle(assignment.task, by=by, now=now)
        return CommitOutcome(work, None)
    late = late_work.adopt(assignment, now=now)
    if late:
        recording.complete(work.annotation, now=now)
        return CommitOutcome(work, None, late=late)
    committing.finish(work, now=now)
    settling.settle(assignment.task, by=by, now=now)
    return CommitOutcome(work, None, adopted=True)
