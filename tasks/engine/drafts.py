"""Save drafts, if the page is up to date and is the one that may write."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from annotation.engine import drafts
from annotation.engine.drafts import PageLoad
from annotation.errors import StalePage
from annotation.models import Draft, User
from tasks.engine import assignments, leases, tabs
from tasks.engine.transactions import service
from tasks.models import Assignment
from tasks.models.states import AssignmentState


@service
def save(
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
    TakenOver.
    """
    assignments.lock(assignment)
    in_work = assignment.state in (AssignmentState.LEASED, AssignmentState.EXPIRED)
    if not in_work and not assignments.in_open_block(assignment):
        raise assignments.why_closed(assignment)
    tabs.hold(assignment, tab)
    work = assignments.work_of(assignment)
    if seen != work.seen_at(step):
        raise StalePage
    drafts.check_draft(work.draft(step), tab)
    draft = drafts.save_draft(work, author=by, step=step, client=tab.client, seq=seq, data=data, now=now)
    leases.renew(assignment.lease, now=now)
    return draft
