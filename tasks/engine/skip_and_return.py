"""Leave work without an answer: skip it, undo the skip within seconds, or return it.

Packages that build on the engine add functions to `leaving` when the app starts (`tasks/apps.py: TasksConfig.ready`):
the engine calls them without knowing who listens, and one place shows what happens besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.db.models import Q

from annotation import events
from annotation.errors import AlreadyClosed
from annotation.models import Project, User
from tasks.engine import assignments, late_work, leases, settling, transitions
from tasks.engine.transactions import service
from tasks.models import Assignment, Lease
from tasks.models.states import AssignmentState, TaskState

UNDO_SECONDS = 10
"""How long a skip can be undone."""
IN_WORK = (AssignmentState.LEASED, AssignmentState.EXPIRED)
"""What can be left: also expired work, whose holder comes back to say that they won't do it."""
MANY = 3
"""After more skips in a row than this, the person is asked what is wrong."""


class Leaving(Protocol):
    """Entered before somebody leaves work without an answer, in the same transaction; left when they have."""

    def __call__(
        self, assignment: Assignment, /, *, by: User, reason: str, text: str, now: datetime
    ) -> AbstractContextManager[None]: ...


leaving: list[Leaving] = []


def listen(to: list[Leaving], each: Leaving) -> None:
    """Add a function to a hook, once: Django calls `ready` again when a test installs another app."""
    if each not in to:
        to.append(each)


@contextmanager
def around_leaving(assignment: Assignment, *, by: User, reason: str, text: str, now: datetime) -> Iterator[None]:
    """Run the block, which makes the person leave this work, inside all that listen."""
    with ExitStack() as stack:
        for each in leaving:
            stack.enter_context(each(assignment, by=by, reason=reason, text=text, now=now))
        yield


@service
def skip(assignment: Assignment, *, by: User, reason: str, text: str, now: datetime) -> None:
    """Skip an item: it never comes back to this person, and it does not count as an answer."""
    with around_leaving(assignment, by=by, reason=reason, text=text, now=now):
        _leave(assignment, AssignmentState.SKIPPED, by=by, now=now, counts=True, reason=reason, text=text)


@service
def give_back(assignment: Assignment, *, by: User, now: datetime, reason: str = "", text: str = "") -> None:
    """Return work: the slot is free again, the draft stays, and the item is offered to this person first.

    Of a block, everything that is not submitted is returned, from whichever page. Expired work can be returned too: its
    slot was free already, but the 24 hours in which it is offered to them first start again. `reason` and `text`: why
    they leave a partner, if they do.
    """
    with around_leaving(assignment, by=by, reason=reason, text=text, now=now):
        found = _locked(assignment)
        if found.state != AssignmentState.RETURNED and not _return_all(found.lease, by=by, now=now):
            raise assignments.why_closed(found)


def give_back_one(assignment: Assignment, *, by: User | None, now: datetime, reason: str, counts: bool = False) -> None:
    """Return one assignment (of a block, only this one) inside the caller's transaction.

    `counts`: shared work in which enough was said counts as finished (`enough.finish_if_enough`).
    """
    _leave(assignment, AssignmentState.RETURNED, by=by, now=now, counts=counts, reason=reason)


@service
def undo_skip(assignment: Assignment, *, by: User, now: datetime) -> None:
    """Undo a skip within ten seconds, while the slot is free; AlreadyClosed otherwise.

    The work that was claimed after the skip is returned first, unless something was saved in it.
    """
    if len(assignments.activity_of(assignment).seats) > 1:
        raise AlreadyClosed  # the partners' assignments were returned
    fresh = late_work.untouched_lease(assignment)
    assignments.lock(assignment, also=fresh)
    since = assignment.closed_at
    if assignment.state != AssignmentState.SKIPPED or since is None or now - since > timedelta(seconds=UNDO_SECONDS):
        raise AlreadyClosed
    if fresh is not None and late_work.untouched_lease(assignment) == fresh:
        _return_all(fresh, by=by, now=now, reason="undo")
    if not late_work.lease_again(assignment, now=now):
        raise AlreadyClosed


def last_undoable_skip(user: User, project: Project, activity: str, *, now: datetime) -> Assignment | None:
    """The assignment that the person skipped last in the activity, if that can still be undone."""
    since = now - timedelta(seconds=UNDO_SECONDS)
    mine = Assignment.objects.filter(annotator=user, lease__project=project, lease__activity=activity)
    found = mine.filter(state=AssignmentState.SKIPPED, closed_at__gt=since).select_related("lease")
    return found.order_by("-closed_at", "-pk").first()


def _return_all(lease: Lease, *, by: User, now: datetime, **data: Any) -> int:
    """Return what is still to be done under the lease, whose tasks are locked; returns how many assignments."""
    undone = Q(state=AssignmentState.EXPIRED, annotation__completed_at=None) & ~Q(task__state=TaskState.CANCELLED)
    mine = lease.assignments.filter(Q(state=AssignmentState.LEASED) | undone)
    rest = mine.select_related("task__queue", "task__item__project", "annotation").order_by("task_id")
    for row in rest:
        row.lease = lease
        assignments.finish_if_enough(row, now=now)
        transitions.assignment(row, AssignmentState.RETURNED, by=by, now=now, **data)
        leases.release_partners(row, now=now)
    leases.close_and_settle(lease, now=now)
    return len(rest)


def _leave(
    assignment: Assignment, to: AssignmentState, *, by: User | None, now: datetime, counts: bool, **data: Any
) -> None:
    assignment = _locked(assignment)
    if assignment.state == to:
        return
    if assignment.state not in IN_WORK or _is_over(assignment):
        raise assignments.why_closed(assignment)
    if counts:
        assignments.finish_if_enough(assignment, now=now)
    transitions.assignment(assignment, to, by=by, now=now, **data)
    leases.release_partners(assignment, now=now)
    leases.close_and_settle(assignment.lease, now=now)
    if assignment.state == AssignmentState.SUBMITTED:  # re-opened, under a lease that other work keeps open
        settling.settle(transitions.lock_one(assignment.task), by=by, now=now)


def _locked(assignment: Assignment) -> Assignment:
    """Lock and refresh the assignment; if it has expired, return the one by which they hold the task again, if any."""
    assignments.lock(assignment)
    if assignment.state != AssignmentState.EXPIRED:
        return assignment
    return assignments.current_hold(assignment) or assignment


def _is_over(assignment: Assignment) -> bool:
    """Whether expired work can no longer be left: it was finished under a later assignment, or cancelled."""
    over = assignment.annotation.completed_at is not None or assignment.task.state == TaskState.CANCELLED
    return assignment.state == AssignmentState.EXPIRED and over


def skips_in_a_row(assignment: Assignment) -> int:
    """How many of the person's latest assignments in the activity were skipped in a row, up to MANY + 1."""
    mine = Assignment.objects.filter(annotator_id=assignment.annotator_id, lease__project=assignment.lease.project_id)
    last = mine.filter(lease__activity=assignment.lease.activity).exclude(state=AssignmentState.LEASED)
    states = list(last.order_by("-closed_at", "-pk").values_list("state", flat=True)[: MANY + 1])
    return next((n for n, state in enumerate(states) if state != AssignmentState.SKIPPED), len(states))


def explain(assignment: Assignment, *, by: User, text: str, now: datetime) -> None:
    """Record what the person says is wrong, with the skip after which they were asked."""
    if text.strip():
        project = assignment.task.item.project
        events.record("skips.explained", project, by=by, now=now, text=text, assignment=str(assignment.uuid))
