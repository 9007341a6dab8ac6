"""Save drafts, if the page is up to date and is the one that may write."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from annotation.engine import drafts
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import StalePage
from annotation.models import Draft, User
from tasks.engine import assignments, leases, pokes, tabs
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
