"""Commit a step or a whole assignment: the record's `commit`, with the lock, the lease and the slot around it.

Drafts are saved under the same lock, if the page is up to date and is the one that may write.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Unpack

from annotation import events
from annotation.engine import committing, drafts, recording
from annotation.engine.committing import AnswerSent
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import AlreadyClosed, StalePage
from annotation.models import Draft, User
from annotation.values.records import Step, Waiting
from tasks.engine import assignments, late_work, leases, pokes, settling, similarity, tabs, transitions
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
    left: dict[str, Any] | None = None,
    **sent: Unpack[AnswerSent],
) -> CommitOutcome:
    """Write the answer to a step (given by its address); the answer to the last step completes the work.

    `key`: idempotency key; `seen`: optimistic lock, the number of responses the page knew; `tab`: the page load that
    sends. `left`: form fields that were entered but are no part of the answer; while a partner decides how it goes on,
    they are kept as the draft of the next turn. Raises what `committing.commit` raises; then nothing was written.
    """
    drafted, now = assignments.lock(assignment), sent["now"]
    if assignment.state == AssignmentState.EXPIRED:
        assignment = assignments.current_hold(assignment) or assignment
    hold, work = assignments.hold_of(assignment), assignments.work_of(assignment)
    revising = assignments.in_open_block(assignment)
    done = committing.commit(
        work,
        step,
        payload,
        hold=replace(hold, person=by),
        drafted=drafted,
        refused=None if revising else why_not_commit(assignment),
        **sent,
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


@service
def save_draft(
    assignment: Assignment,
    step: str,
    data: dict[str, Any],
    *,
    by: User,
    tab: PageLoad,
    seq: int,
    seen: int,
    now: datetime,
) -> Draft:
    """Save the draft of a step and renew the lease; a lower `seq` of the same page load is ignored.

    Like a commit, it runs under the task's lock and checks `seen` (optimistic lock, the number of responses the page
    knew), so that a delayed save can't bring back the draft of a committed step. Raises AlreadyClosed, StalePage or
    TakenOver. The first draft tells a partner's page that what it is about can't be taken back any more.
    """
    assignments.lock(assignment)
    in_work = assignment.state in (AssignmentState.LEASED, AssignmentState.EXPIRED)
    if not in_work and not assignments.in_open_block(assignment):
        raise assignments.why_closed(assignment)
    tabs.hold(assignment, tab)
    work = assignments.work_of(assignment)
    if seen != work.seen_at(step):
        raise StalePage
    earlier = work.draft(step)
    drafts.check_draft(earlier, tab)
    draft = drafts.save_draft(work, author=by, step=step, client=tab.client, seq=seq, data=data, now=now)
    leases.renew(assignment.lease, now=now)
    if earlier is None and _follows_what_could_be_taken_back(work):
        pokes.beside(assignment.annotation, by=by)
    return draft


def _follows_what_could_be_taken_back(work: Work) -> bool:
    """Whether a partner's last answer could be taken back until now, since this person had not begun."""
    last = work.answers[-1] if work.answers else None
    return last is not None and last.author != str(work.person or "") and work.activity.stage(last.stage).withdrawable
