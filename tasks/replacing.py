"""Let the second of two versions that one person has sent of the same answer take the place of the first."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from annotation import events, membership
from annotation.errors import AlreadyClosed
from annotation.models import Response, User
from annotation.work import Work
from tasks import leases, reopening, submitting
from tasks.models import Assignment
from tasks.states import AssignmentState
from tasks.transactions import retry_on_conflict

REASON = "its author sent a second version"
"""The reason in the history of work that its author opened again for one commit."""


def allowed(assignment: Assignment, work: Work, stage: str, *, now: datetime) -> bool:
    """Whether a second version of this stage may replace the first: the work is handed in and could be re-opened.

    Only as long after it was handed in as it could have been held: an older page was written for another day. What is
    sealed stays: only a lead opens that.
    """
    if assignment.state != AssignmentState.SUBMITTED or not any(entry.stage == stage for entry in work.so_far):
        return False
    if work.activity.stage(stage).sealed:
        return False
    if submitting.in_open_block(assignment):
        return True
    held_for = timedelta(minutes=assignment.lease.queue.lease_minutes)
    roles = membership.roles_of(assignment.annotator, assignment.task.item.project)
    late = assignment.closed_at is None or now - assignment.closed_at > held_for
    return not late and reopening.why_not_reopen(work.annotation, assignment, roles=roles) is None


@retry_on_conflict
@transaction.atomic
@events.together()
def replace(
    assignment: Assignment, stage: str, payload: dict[str, Any], *, by: User, key: uuid.UUID, seen: int, now: datetime
) -> submitting.Outcome:
    """Append the second version as a revision, which counts from now on; `seen` is what its page knew of the first.

    Where it is not the end of the work (another box was chosen), the work is open again and goes on. Raises what a
    commit raises; AlreadyClosed where the first may not be replaced. Repeated under its key it changes nothing.
    """
    membership.lock_person(by, assignment.task.item.project)
    submitting.lock(assignment, also=leases.other_open(assignment))
    if not Response.objects.filter(author=by, submission_key=key).exists():
        work = submitting.work_of(assignment)
        if not allowed(assignment, work, stage, now=now):
            raise AlreadyClosed
        if not submitting.in_open_block(assignment):
            reopening.reopen(assignment.task.item.project, work.annotation.uuid, by=by, reason=REASON, now=now)
    return submitting.commit(assignment, stage, payload, by=by, key=key, seen=seen, now=now)
