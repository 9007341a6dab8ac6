"""Raters who look at what others answered about an item that they judge: from then on they judge nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet

from annotation import events, membership
from annotation.judging import draw
from annotation.models import Exhibit, JudgingRound, Rater, Recusal, RoundState, User
from tasks.engine import leases, transitions
from tasks.engine.transactions import service
from tasks.judging import ending, raters, working
from tasks.models import Assignment, Lease, Task
from tasks.models.states import AssignmentState

REASON = "recused"
"""Why an assignment is revoked, in its event."""


class JudgedLook(NamedTuple):
    """A round in which somebody judges what they are about to look at: how many of its exhibits have no mark of
    theirs yet, which they would not judge any more, and how many have one."""

    row: JudgingRound
    unmarked: int
    marked: int


def before(person: User, slug: str, item: int | None) -> Sequence[JudgedLook]:
    """The rounds of a project (its slug) in which the person still judges an item (its key) or one under it.

    `item`: None for all items of the project. What they judge no longer, or made or decided, is not counted.
    """
    found = []
    rows = Rater.objects.filter(person=person, locked_at=None, removal=None, round__state=RoundState.SEALED)
    for rater in rows.filter(round__project__slug=slug).select_related("round__project").order_by("pk"):
        theirs = _judged_by(rater, item)
        if whole := theirs.count():
            marked = theirs.filter(_marked_by(person)).distinct().count()
            found.append(JudgedLook(rater.round, whole - marked, marked))
    return found


def _judged_by(rater: Rater, item: int | None) -> QuerySet[Exhibit]:
    """The exhibits that the rater judges, or might in place of a defect, and that are about the item."""
    rows = Exhibit.objects.filter(round=rater.round_id, defect=None)
    rows = rows if item is None else rows.filter(Q(item=item) | Q(item__root=item))
    seen = draw.items_seen(rater.round, rater.person)
    return rows.exclude(item__in=seen).exclude(pk__in=list(raters.left_out(rater.round, rater.person)))


def _marked_by(person: User) -> Q:
    return Q(judgements__author=person, judgements__completed_at__isnull=False)


@service
def look(person: User, slug: str, item: int | None, *, now: datetime) -> int:
    """The person is about to look: record it for each round, and take back what they have not marked; `before` says of
    which. What they have marked stays as it is and counts. Returns how many rounds.

    Once it returns, nothing more is written about these exhibits: the marks of others wait for the same locks.
    """
    rounds = [each.row for each in before(person, slug, item)]
    for row in rounds:
        membership.lock_person(person, row.project)
        locked = JudgingRound.objects.select_for_update(of=("self",)).select_related("project").get(pk=row.pk)
        rater = working.rater_of(locked, person)
        if locked.state == RoundState.SEALED and rater.locked_at is None:
            _recuse(locked, rater, item, now=now)
    return len(rounds)


def _recuse(row: JudgingRound, rater: Rater, item: int | None, *, now: datetime) -> None:
    exhibits, person = list(_judged_by(rater, item)), rater.person
    lease = working.lease_of(row, person)
    queue = working.queue_of(row)
    transitions.lock(list(Task.objects.filter(queue=queue, exhibit__in=exhibits).values_list("pk", flat=True)))
    items = sorted({each.item_id for each in exhibits})
    Recusal.objects.bulk_create(Recusal(round=row, person=person, item_id=each, at=now) for each in items)
    if lease is not None:
        take_back(lease, exhibits, by=person, reason=REASON, now=now)
    events.record("judging.recused", row, by=person, now=now, items=items)
    ending.go_on_if_all_locked(row, by=person, now=now)


def take_back(lease: Lease, exhibits: Sequence[Exhibit], *, by: User | None, reason: str, now: datetime) -> None:
    """Revoke what has no mark yet of these exhibits; the caller holds the locks of their tasks."""
    held = Assignment.objects.filter(lease=lease, task__exhibit__in=exhibits, state=AssignmentState.LEASED)
    for assignment in held.select_related("task", "annotation").order_by("task_id"):
        transitions.assignment(assignment, AssignmentState.REVOKED, by=by, now=now, reason=reason)
    if lease.closed_at is None and not working.work_in(lease).exists():
        leases.close_if_done(lease, now=now)
