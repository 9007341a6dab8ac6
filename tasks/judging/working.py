"""A rater's work: all exhibits of a round under one lease, in an order of their own, until they lock it.

Practice comes first, and some exhibits come twice. A rater who drops out is replaced by somebody else, or by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotation import events, membership, randomness
from annotation.documents.words import says_something
from annotation.engine import recording
from annotation.errors import ConsentMissing, NotFound, WrongMove
from annotation.i18n import _
from annotation.judging import given_marks, rounds
from annotation.judging.protocol import ASSESS as ACTIVITY
from annotation.judging.rules import by_screen
from annotation.models import Exhibit, ExhibitUse, JudgingRound, Rater, Recusal, Removal, RoundState, User
from tasks.engine import leases, transitions
from tasks.engine.transactions import service
from tasks.judging import ending, raters
from tasks.models import ASSESS, Assignment, Lease, Queue, Task
from tasks.models.states import AssignmentState, QueueState, TaskState

Screen = Sequence[Exhibit]
"""What is judged on one screen, in the sealed order."""
APART = 20
"""Screens, at least, from the first to the second time; half of all if there are fewer than twice as many."""


def in_order(row: JudgingRound, rater: Rater, exhibits: Iterable[Exhibit]) -> Sequence[tuple[Exhibit, int]]:
    """The exhibits as the rater judges them, with 1, or with 2 for the second time.

    Practice comes in the sealed order. Of the others, as many of 100 as the rules say come again. What is on one screen
    stays together, in the sealed order.
    """
    every = sorted(exhibits, key=lambda each: each.place)
    practice = [(each, 1) for each in every if each.use == ExhibitUse.PRACTICE]
    judged = by_screen(rounds.rules_of(row), (each for each in every if each.use != ExhibitUse.PRACTICE))
    judged.sort(key=lambda screen: randomness.number(row.seed, "rater", rater.number, screen[0].place))
    return [*practice, *_with_repeats(row, rater, judged)]


def _with_repeats(row: JudgingRound, rater: Rater, judged: Sequence[Screen]) -> Sequence[tuple[Exhibit, int]]:
    n, apart = len(judged), min(APART, len(judged) // 2)
    wanted = -(-n * rounds.rules_of(row).repeats // 100) if n > 1 else 0
    early = range(n - apart)
    place_of = [screen[0].place for screen in judged]
    again = sorted(early, key=lambda at: randomness.number(row.seed, "again", rater.number, place_of[at]))[:wanted]
    places = [(float(at), place_of[at], judged[at], 1) for at in range(n)]
    for at in again:
        first, last = at + apart, n - 1
        where = first + randomness.number(row.seed, "where", rater.number, place_of[at]) % (last - first + 1)
        places.append((where + 0.5, place_of[at], judged[at], 2))
    places.sort(key=lambda each: each[:2])
    return [(exhibit, number) for _at, _place, screen, number in places for exhibit in screen]


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
    exhibits = in_order(row, rater, raters.given_to(row, rater))
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


REASON = "replaced"
"""Why an assignment is revoked, in its event."""


@service
def replace_rater(rater: Rater, person: User | None, *, reason: str, by: User, now: datetime) -> Rater | None:
    """End a rater's part before they have locked: their marks are kept and count nowhere. The other person judges all
    of it, or the same part where raters take turns; without one, those who remain go on. Returns the new rater.

    WrongMove without a reason, for who has locked, if nobody would remain, and if the other one judges already.
    """
    row = JudgingRound.objects.select_for_update(of=("self",)).select_related("project").get(pk=rater.round_id)
    rater = Rater.objects.select_related("person").get(pk=rater.pk)
    if Removal.objects.filter(rater=rater).exists():
        return None
    if not says_something(reason):
        raise WrongMove(_("Say why, in a few words."))
    if row.state != RoundState.SEALED:
        raise WrongMove(_("Nobody judges in this round now."))
    if rater.locked_at is not None:
        raise WrongMove(_("They have locked: their marks are final."))
    if person is None and given_marks.remaining_raters(row).count() < 2:
        raise WrongMove(_("Nobody else judges. Stop the round instead, or choose somebody."))
    if person is not None and row.raters.filter(person=person).exists():
        raise WrongMove(_("They judge in this round already."))
    Removal.objects.create(rater=rater, reason=reason.strip()[: Removal.LONGEST], by=by, at=now)
    if (lease := lease_of(row, rater.person)) is not None:
        ending.revoke_unmarked(lease, by=by, now=now, reason=REASON)
    made = raters.name(row, person, by=by, now=now, replaces=True) if person else None
    new = made.number if made else None
    events.record(raters.REPLACED, row, by=by, now=now, rater=rater.number, reason=reason, new=new)
    if made is None or not raters.given_to(row, made, in_place_of=rater):
        ending.go_on_if_all_locked(row, by=by, now=now, idle=made)
    return made
