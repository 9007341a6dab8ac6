"""Commit a step or a whole assignment: the lock, the lease and the slot around the record's `commit`."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from annotation import committing, events, recording
from annotation.drafts import Tab
from annotation.errors import AlreadyClosed
from annotation.models import User
from annotation.records import Step, Waiting
from annotation.work import Work
from tasks import assignments, late_work, leases, settling, transitions
from tasks.models import Assignment
from tasks.states import AssignmentState
from tasks.transactions import service


@dataclass(frozen=True)
class Outcome:
    """What a commit did: the work as it stands now, whether it was a repetition, or finished work late.

    `adopted`: late, and it has a slot. `late`: why late work has none (a word of `late_work.adopt`), else "".
    """

    work: Work
    following: Step | Waiting | None
    replayed: bool = False
    adopted: bool = False
    late: str = ""

    @property
    def next_step(self) -> str | None:
        """The address of the person's next step; None when the work is complete, or it is somebody else's turn."""
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
    tab: Tab | None = None,
) -> Outcome:
    """Write the answer to a step (named by its address); the last step's completes the work.

    `key` makes a repetition harmless, `seen` is how many responses the page knew, `tab` is the page load that speaks.
    Raises what `committing.commit` raises, and then nothing was written.
    """
    drafted = assignments.lock(assignment)
    if assignment.state == AssignmentState.EXPIRED:
        assignment = assignments.held_again(assignment) or assignment
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
        return Outcome(done.work, done.work.following, replayed=True)
    work, following = done.work, done.work.protocol.next_step(done.work.context())
    if following is None and not revising:
        return _complete(assignment, work, by=by, now=now)
    if assignment.state != AssignmentState.EXPIRED:
        leases.renew(assignment.lease, now=now)
    elif late_work.take_up_again(assignment, now=now):
        work = replace(work, leased=True)
    return Outcome(work, following)


def why_not_commit(assignment: Assignment) -> AlreadyClosed | None:
    """Why nothing can be written into this work any more, or None; late work is judged once it is finished.

    Whose partners were let go when their time ended can't go on alone.
    """
    alone = len(assignments.activity_of(assignment).seats) == 1
    if assignment.state == AssignmentState.LEASED or (assignment.state == AssignmentState.EXPIRED and alone):
        return None
    return assignments.why_closed(assignment)


def _complete(assignment: Assignment, work: Work, *, by: User, now: datetime) -> Outcome:
    """The work is whole: hand it in for everybody who made it, or judge it as late work."""
    if assignment.state == AssignmentState.LEASED:
        seats = leases.leased_seats(assignment)
        for held in seats:
            transitions.assignment(held, AssignmentState.SUBMITTED, by=by, now=now)
        committing.finish(work, now=now)
        if work.activity.block:
            leases.close_and_settle(assignment.lease, now=now)
            return Outcome(work, None)
        ended = [leases.close_if_done(held.lease, now=now) for held in seats]
        if any(ended):
            settling.settle(assignment.task, by=by, now=now)
        return Outcome(work, None)
    late = late_work.adopt(assignment, now=now)
    if late:
        recording.complete(work.annotation, now=now)
        return Outcome(work, None, late=late)
    committing.finish(work, now=now)
    settling.settle(assignment.task, by=by, now=now)
    return Outcome(work, None, adopted=True)
