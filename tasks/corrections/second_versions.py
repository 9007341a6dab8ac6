"""An author's second version of an answer, or their change of mind about a sealed one."""

from __future__ import annotations

import uuid as uuids
from datetime import datetime, timedelta
from typing import Any

from annotation import events, membership
from annotation.documents.words import says_something
from annotation.engine.work import Work
from annotation.errors import AlreadyClosed, NotFound, PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Response, User
from tasks.corrections.reopening import reopen, why_not_reopen
from tasks.engine import assignments, late_work, submitting
from tasks.engine.transactions import service
from tasks.models import Assignment
from tasks.models.states import AssignmentState

REASON = "its author sent a second version"
"""The reason recorded when an author's own second version re-opens the work for one commit."""
RECONSIDERED = "annotation.reconsidered"
"""The kind of the events; each holds `stage` and `text`."""


def may_replace(assignment: Assignment, work: Work, step: str, *, now: datetime) -> bool:
    """Whether a second version of this step may replace the first: the work is submitted and could be re-opened.

    Only for one lease time after it was submitted: an older page is out of date. Not for sealed stages (only a lead
    re-opens those), nor for work that several people made together.
    """
    answered = work.answer_at(step)
    if assignment.state != AssignmentState.SUBMITTED or answered is None or len(work.activity.seats) > 1:
        return False
    if work.activity.stage(answered.stage).sealed:
        return False
    if assignments.in_open_block(assignment):
        return True
    held_for = timedelta(minutes=assignment.lease.queue.lease_minutes)
    roles = membership.roles_of(assignment.annotator, assignment.task.item.project)
    late = assignment.closed_at is None or now - assignment.closed_at > held_for
    return not late and why_not_reopen(work.annotation, assignment, roles=roles) is None


@service
def replace(
    assignment: Assignment, step: str, payload: dict[str, Any], *, by: User, key: uuids.UUID, seen: int, now: datetime
) -> submitting.CommitOutcome:
    """Append the second version as a revision, which counts from now on; idempotent by `key`.

    `seen` is the optimistic lock of its page. If the second version does not complete the work (another box was
    chosen), the work stays open and goes on. Raises what a commit raises, and AlreadyClosed if the first version may
    not be replaced.
    """
    membership.lock_person(by, assignment.task.item.project)
    assignments.lock(assignment, also=late_work.other_open(assignment))
    if not Response.objects.filter(author=by, submission_key=key).exists():
        work = assignments.work_of(assignment)
        if not may_replace(assignment, work, step, now=now):
            raise AlreadyClosed
        if not assignments.in_open_block(assignment):
            reopen(assignment.task.item.project, work.annotation.uuid, by=by, reason=REASON, now=now)
    return submitting.commit(assignment, step, payload, by=by, key=key, seen=seen, now=now)


def reconsider(assignment: Assignment, step: str, *, by: User, text: str, now: datetime) -> None:
    """Record a change of mind in the history; NotFound if the step was not answered, or is not sealed.

    PayloadInvalid without a word: a lead voids a slot by what is noted.
    """
    work = assignments.work_of(assignment)
    answered = work.answer_at(step)
    if answered is None or not work.activity.stage(answered.stage).sealed:
        raise NotFound
    if not says_something(text):
        raise PayloadInvalid((Problem("text", "blank", _("Write something.")),))
    events.record(RECONSIDERED, work.annotation, by=by, now=now, stage=step, text=" ".join(text.split()))
