"""Keep what is on a screen, if the page that speaks is the one that counts and knows how the work stands."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from annotation import drafts
from annotation.drafts import Tab
from annotation.errors import StalePage
from annotation.models import Draft, User
from tasks import assignments, leases, tabs
from tasks.models import Assignment
from tasks.states import AssignmentState
from tasks.transactions import service


@service
def save(
    assignment: Assignment,
    step: str,
    data: dict[str, Any],
    *,
    by: User,
    tab: Tab,
    seq: int,
    seen: int,
    now: datetime,
) -> Draft:
    """Keep the draft of a step and renew the lease; a lower `seq` of the same page load changes nothing.

    Under the task's lock, as a commit is: a save that is late can't bring back the draft of a step that was committed
    (`seen` is how many responses the page knew). Raises AlreadyClosed, StalePage or TakenOver.
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
