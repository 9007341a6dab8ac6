"""A rater's work: all exhibits of a round under one lease, in an order of their own, until they lock it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotation import events, membership
from annotation.engine import recording
from annotation.errors import ConsentMissing, NotFound, WrongMove
from annotation.i18n import _
from annotation.judging.protocol import ASSESS as ACTIVITY
from annotation.models import Exhibit, JudgingRound, Rater, Recusal, Removal, RoundState, User
from tasks.engine import leases, transitions
from tasks.engine.transactions import service
from tasks.judging import ending, ordering, raters
from tasks.models import ASSESS, Assignment, Lease, Queue, Task
from tasks.models.states import AssignmentState, QueueState, TaskState


def queue_of(row: JudgingRound) -> Queue:
    """The queue of a round, from which no claim hands out anything."""
    defaults = {"lease_minutes": ACTIVITY.minutes, "state": QueueState.CLOSED}
    found = Queue.objects.get_or_create(project=row.project, activity=ASSESS, name=str(row.pk), defaults=defaults)[0]
    found.project = row.project
    return found


def rater_of(row: JudgingRound, person: User) -> Rater:
    """The person as a rater of the round, or NotFound."""
    found = Rater.objects.filter(round=row, person=person).first()
    if found is None:
        raise NotFound
    return found


def was_replaced(rater: Rater) -> bool:
    """Whether the rater dropped out before they had locked."""
    return rater.locked_at is None and Removal.objects.filter(rater=rater).exists()


def lease_of(row: JudgingRound, person: User) -> Lease | None:
    """The lease under which the person judges, or judged; None if they have not begun."""
    rows = Lease.objects.filter(annotator=person, queue__activity=ASSESS, queue__name=str(row.pk))
    return rows.filter(queue__project=row.project).select_related("queue__project").order_by("-pk").first()


def work_in(lease: Lease) -> QuerySet[Assignment]:
    """What is judged under a lease, in the rater's order."""
    return lease.assignments.exclude(state=AssignmentState.REVOKED).order_by("pk")


def work_to_show(lease: Lease) -> QuerySet[Assignment]:
    """What of it the rater can still open: all but what they have looked at side by side."""
    return work_in(lease).exclude(Exists(_looked_at(lease)))


def _looked_at(lease: Lease) -> QuerySet[Recusal]:
    seen = {"round": OuterRef("task__exhibit__round"), "item": OuterRef("task__item")}
    return Recusal.objects.filter(person=lease.annotator_id, **seen)


def left_to_judge(lease: Lease) -> QuerySet[Assignment]:
    """What has no mark yet under a lease, in the rater's order."""
    return work_in(lease).exclude(state=AssignmentState.SUBMITTED)


@service
def begin(row: JudgingRound, *, by: User, now: datetime) -> Lease:
    """The person's lease of a sealed round, with an assignment for each exhibit that they judge; once only.

    NotFound for somebody who is no rater, ConsentMissing, and WrongMove if the round is not being judged.
    """
    rater, standing = rater_of(row, by), membership.lock_person(by, row.project)
    if not standing.consented:
        raise ConsentMissing(reason=row.project.slug)
    row = JudgingRound.objects.select_for_update(of=("self",)).select_related("project").get(pk=row.pk)
    lease = lease_of(row, by)
    if lease is not None and not was_replaced(rater):
        return lease
    if row.state != RoundState.SEALED or was_replaced(rater):
        raise WrongMove(_("This round can’t be judged now."))
    queue, without = queue_of(row), raters.left_out(row, by)
    exhibits = ordering.in_order(row, rater, raters.given_to(row, rater))
    lease = leases.open_lease(annotator=by, queue=queue, now=now)
    give(lease, exhibits, rater=rater, now=now)
    events.record("judging.begun", row, by=by, now=now, exhibits=len(exhibits), left_out=len(without))
    return lease


def give(lease: Lease, exhibits: Sequence[tuple[Exhibit, int]], *, rater: Rater, now: datetime) -> None:
    """An assignment of each exhibit, in this order; 2 for one that comes a second time."""
    queue, by = lease.queue, rater.person
    Task.objects.bulk_create([_task(queue, each, number) for each, number in exhibits], ignore_conflicts=True)
    tasks = {(task.exhibit_id, task.round): task for task in Task.objects.filter(queue=queue)}
    annotations = recording.open_judgements(exhibits, author=by, activity=ACTIVITY.key, now=now)
    Assignment.objects.bulk_create(
        Assignment(
            task=tasks[each.pk, number],
            lease=lease,
            annotator=by,
            slot=rater.number,
            annotation=annotation,
            claimed_at=now,
        )
        for (each, number), annotation in zip(exhibits, annotations, strict=True)
    )


def _task(queue: Queue, exhibit: Exhibit, number: int) -> Task:
    """The task of an exhibit; no claim hands it out, so it is done from the start."""
    return Task(
        queue=queue,
        item=exhibit.item,
        exhibit=exhibit,
        round=number,
        activity=ACTIVITY.key,
        split=exhibit.item.split,
        slots=None,
        order=exhibit.place,
        state=TaskState.DONE,
    )


@service
def lock(row: JudgingRound, *, by: User, now: datetime) -> Rater:
    """The person's marks are final from now on: what they judged last is their first mark in a meeting.

    With the last lock the meeting opens, or the round is closed if its rules want none.

    WrongMove if something is left to judge. Locked already is no error.
    """
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    rater, lease = rater_of(row, by), lease_of(row, by)
    if rater.locked_at is not None:
        return rater
    if row.state != RoundState.SEALED or was_replaced(rater):
        raise WrongMove(_("This round is over."))
    if lease is None:
        raise WrongMove(_("You have not judged anything yet."))
    transitions.lock(list(lease.assignments.values_list("task_id", flat=True)))
    if left_to_judge(lease).exists():
        raise WrongMove(_("Some exhibits have no mark yet."))
    if Rater.objects.filter(pk=rater.pk, locked_at=None).update(locked_at=now):
        leases.close_if_done(lease, now=now)
        events.record("judging.locked", row, by=by, now=now, rater=rater.number)
        ending.go_on_if_all_locked(row, by=by, now=now)
    return rater_of(row, by)
