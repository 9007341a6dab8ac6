"""Claim work for an annotator: resume what they hold, else lease the first free task in order."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime

from django.db import connection, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from annotation import events, projects, randomness, registry
from annotation.db.compiled import Param, Prepared
from annotation.engine import recording
from annotation.errors import NotFound
from annotation.membership import lock_person
from annotation.models import Annotation, Item, Project, User
from tasks.engine import leases, resuming, transitions
from tasks.engine.eligibility import (
    SESSION,
    Seeker,
    free_tasks,
    parameter_seeker,
    refusal_for,
    shape_of,
    still_free,
    values_of,
    why_not_claim,
)
from tasks.engine.no_work import NoWork, why_no_work
from tasks.engine.queues import AT_MOST_IN_A_CLAIM, fill, fill_block
from tasks.engine.transactions import retry_on_conflict
from tasks.models import Assignment, Lease, Queue, Task
from tasks.models.states import QueueState, TaskState

ATTEMPTS = 8
"""How often a claim retries without the queue's lock when others take its tasks, before it takes the lock."""
LOWEST = -(2**63)
"""The lowest possible `Task.order`."""

FreeTask = tuple[Task, set[int]]
"""A locked task that has a free slot, and the slots that are held."""


@retry_on_conflict
def claim(project: Project, activity: str, *, by: User, now: datetime, item: Item | None = None) -> Assignment | NoWork:
    """The person's own open work, else the next free task of the activity (or the task of `item`) under a new lease.

    Claims of one person are serialised (their membership rows are locked); those of different people are not, by
    SKIP LOCKED. In an activity with blocks, one lease covers every free item under the same root.

    The first attempt (SKIP LOCKED) and the last one (under the queue's lock) are two transactions: PostgreSQL keeps
    the lock of a row that it waited for and then did not return, and nobody may hold a task while waiting for a queue.
    """
    wanted = next((each for each in registry.get(project.protocol).activities if each.key == activity), None)
    if wanted is None:
        raise NotFound(f"{project.slug} has no activity {activity}.")
    if len(wanted.seats) > 1:
        raise NotFound(f"{activity} needs several people at once: seat them with tasks.pairs.matching.")
    last = False
    while True:
        found = None
        if last:
            # One transaction per lease: nobody may hold the tasks of one root while waiting for those of another.
            leases.expire_overdue(now=now, project=project, activity=activity)
        try:
            with transaction.atomic(), events.batched():
                found = _attempt(project, activity, by=by, now=now, item=item, last=last)
        except resuming.LeaseEnded as ended:
            leases.expire_early(ended.lease, now=now)
        others_hold = isinstance(found, NoWork) and found.reason == "others_hold"
        if others_hold and leases.expire_idle(now=now, project=project, activity=activity):
            continue
        if found is not None:
            return found
        last = True


def _attempt(
    project: Project, activity: str, *, by: User, now: datetime, item: Item | None, last: bool
) -> Assignment | NoWork | None:
    """One attempt to find work: with SKIP LOCKED (None: try again), or the last one, under the queue's lock."""
    roles, consented, sees = lock_person(by, project)
    refused = why_not_claim(by, project, activity, roles=roles, consented=consented, sees=sees)
    if refused and refused != "not_qualified":
        raise refusal_for(refused)
    queues = resuming.queues_of(project, activity, by=by, now=now, locked=last)
    opened = [queue for queue in queues if queue.state == QueueState.OPEN]
    seek = _seeker(opened, by=by, item=item, now=now) if opened else None
    if item is not None and seek is not None and not refused and resuming.put_aside(queues, seek, now=now):
        mine = None
    else:
        mine = resuming.resume(queues, by=by, now=now)
    if mine is not None:
        return mine
    if refused:
        raise refusal_for(refused)
    if seek is None:
        return NoWork("not_open")
    if last:
        for queue in seek.queues:
            fill(queue, now=now, at_most=AT_MOST_IN_A_CLAIM)
    found = _look_for_block(seek, last=last, now=now) if seek.activity.block else _look(seek, last=last, now=now)
    if not found:
        return why_no_work(seek) if last else None
    return _assign(found, seek, now=now)


def _seeker(queues: list[Queue], *, by: User, item: Item | None, now: datetime) -> Seeker:
    """The search parameters; it starts at a random point of the order if several people annotate items of a split, or
    blocks are claimed, unless the config says that the order is the file's.
    """
    project, activity = queues[0].project, registry.get(queues[0].project.protocol).activity(queues[0].activity)
    random = any(projects.draw_of(project, activity.key, split=split) == "random" for split in activity.overlap)
    by_file = projects.draws_as_imported(project, activity.key)
    start = None if by_file or not (random or activity.block) else randomness.number(randomness.handle())
    return Seeker(by, project, tuple(queues), activity, project.protocol, now - SESSION, start, item, by_file)


def _look(seek: Seeker, *, last: bool, now: datetime) -> list[FreeTask]:
    """What they left unfinished, else the first free task: with SKIP LOCKED, or (the last time) waiting for locks."""
    found = _take(_unfinished(seek, now=now), seek) or (
        _look_waiting(seek, now=now) if last else _look_in_passing(seek)
    )
    return [found] if found else []


def _unfinished(seek: Seeker, *, now: datetime) -> Task | None:
    """A free task on which they recently left an annotation unfinished (returned or expired)."""
    begun = _left_unfinished(seek, now=now)
    return begun.select_for_update(of=("self",)).first() if begun is not None else None


def _left_unfinished(seek: Seeker, *, now: datetime) -> QuerySet[Task] | None:
    if not any(queue.left_unfinished for queue in seek.queues):
        return None
    begun = resuming.left_unfinished(seek.by, seek.activity.key, since=now - resuming.KEPT)
    return _rows(seek).filter(item__in=begun.values("item"))


def _look_in_passing(seek: Seeker) -> FreeTask | None:
    """The first free task that nobody else has locked (SKIP LOCKED); SQLite, with its single writer, needs no skip."""
    skip_locked = connection.features.has_select_for_update_skip_locked
    for _ in range(ATTEMPTS):
        task = _first(seek, skip_locked=skip_locked)
        if task is None:
            return None
        found = _take(task, seek)
        if found is not None:
            return found
    return None


def _look_waiting(seek: Seeker, *, now: datetime) -> FreeTask | None:
    """The first free task, waiting for locks on it; the queues are locked."""
    while free_tasks(seek).exists():
        # PostgreSQL drops a row that changed while we waited for its lock: try again while any is free.
        task = _first(seek)
        found = _take(task, seek)
        if found is not None:
            return found
        if task is not None:  # open with all slots held: no transition leaves that behind, so repair it
            transitions.set_open_or_full(task, by=None, now=now)
    return None


def _first(seek: Seeker, *, skip_locked: bool = False) -> Task | None:
    """The first by order, locked; if the draw is random, from the start point on, then from the beginning."""
    shape, values = (*shape_of(seek), skip_locked), values_of(seek)
    found: Task | None = _first_of.first(*shape, True, start=LOWEST if seek.start is None else seek.start, **values)
    if found is None and seek.start is not None:
        found = _first_of.first(*shape, False, start=seek.start, **values)
    return found


@Prepared
def _first_of(
    protocol: str, activity: str, queues: int, chosen: bool, by_file: bool, skip_locked: bool, from_start: bool
) -> QuerySet[Task]:
    # Without a bound on the order, SQLite sorts all open tasks instead of walking their index.
    bound = Q(order__gte=Param("start")) if from_start else Q(order__lt=Param("start"))
    rows = _rows(parameter_seeker(protocol, activity, queues, chosen, by_file)).filter(bound)
    return rows.select_for_update(of=("self",), skip_locked=skip_locked)[:1]


def _rows(seek: Seeker) -> QuerySet[Task]:
    """The free tasks with their items, and the annotation that the person has begun on each."""
    mine = Annotation.objects.filter(
        author=seek.by, item=OuterRef("item"), activity=OuterRef("activity"), round=OuterRef("round")
    )
    rows = free_tasks(seek).select_related("item")
    return rows.annotate(begun=Subquery(mine.values("pk")[:1]))  # type: ignore[no-redef]  # as Task declares it


def _look_for_block(seek: Seeker, *, last: bool, now: datetime) -> list[FreeTask]:
    """Every free task under one root, drawn at random, or by the order of the file; a root that they recently left
    unfinished comes first.

    A task is drawn without a lock; then all tasks under its root are locked in id order, waiting, and read again.
    Whoever frees one of them holds its lock until then, so the block is complete. If none is free, release the locks
    and draw again, the last time for as long as there is anything to draw.
    """
    begun, rows = _left_unfinished(seek, now=now), _rows(seek)
    start = LOWEST if seek.start is None else seek.start
    drawn = begun.first() if begun is not None else None
    for attempt in itertools.count(1):
        drawn = drawn or rows.filter(order__gte=start).first() or rows.filter(order__lt=start).first()
        if drawn is None or (attempt > ATTEMPTS and not last):
            return []
        fill_block(seek.queues, drawn.item.root_id or drawn.item_id)
        with transaction.atomic():
            free = _lock_block(drawn, seek)
            found = [taken for task in free if (taken := _take(task, seek)) is not None]
            if found:
                return found
            if not free:
                transaction.set_rollback(True)
            for task in free:  # open with all slots held: no transition leaves that behind, so repair it
                transitions.set_open_or_full(task, by=None, now=now)
        drawn = None
        if not seek.by_file:
            start = randomness.number(randomness.handle())
            seek = replace(seek, start=start)
    raise AssertionError("counting never ends")


def _lock_block(drawn: Task, seek: Seeker) -> list[Task]:
    """The free tasks under the root of the drawn one, locked with the full ones; [] if one was added meanwhile."""
    root = drawn.item.root_id or drawn.item_id
    under = Q(item=root) | Q(item__root=root)
    held_or_free = Task.objects.filter(under, queue__in=seek.queues, state__in=(TaskState.OPEN, TaskState.FULL))
    locked = transitions.lock(list(held_or_free.values_list("pk", flat=True)))
    free = list(_rows(seek).filter(under).order_by("pk"))
    return free if locked.keys() >= {task.pk for task in free} else []


def _take(task: Task | None, seek: Seeker) -> FreeTask | None:
    """The locked task with its held slots, or None if none is free; an open task with a single slot has it free."""
    if task is None or not still_free(task, seek.protocol, seek.activity):
        return None
    taken = set() if task.slots == 1 else transitions.held_slots(task)
    return (task, taken) if task.slots is None or len(taken) < task.slots else None


def _assign(locked: list[FreeTask], seek: Seeker, *, now: datetime) -> Assignment:
    """Take a free slot of each locked task under one lease; returns the first assignment.

    They come in random order, or in that of the file.
    """
    queue = next(queue for queue in seek.queues if queue.pk == locked[0][0].queue_id)
    lease = leases.open_lease(annotator=seek.by, queue=queue, now=now)
    if seek.by_file:
        ordered = sorted(locked, key=lambda entry: (entry[0].order, entry[0].pk))
    else:
        ordered = sorted(locked, key=lambda entry: randomness.number(lease.pk, entry[0].pk))
    assignments = []
    for task, taken in ordered:
        annotation = (
            Annotation.objects.get(pk=task.begun)
            if task.begun
            else recording.open_annotation(
                item_id=task.item_id,
                author=seek.by,
                activity=task.activity,
                round=task.round,
                guidelines_id=queue.guidelines,
                now=now,
            )
        )
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        assignments.append(hold_slot(task, slot, lease=lease, annotation=annotation, start=seek.start, now=now))
        if task.slots is not None and len(taken) + 1 >= task.slots:
            transitions.task(task, TaskState.FULL, by=seek.by, now=now)
    return resuming.attach_relations(assignments[0], lease=lease, by=seek.by)


def hold_slot(
    task: Task,
    slot: int,
    *,
    lease: Lease,
    annotation: Annotation,
    now: datetime,
    seat: str = "one",
    start: int | None = None,
) -> Assignment:
    """Give that slot to the lease's holder; the caller holds the task's lock."""
    by = lease.annotator
    assignment = Assignment.objects.create(
        task=task, lease=lease, annotator=by, slot=slot, seat=seat, annotation=annotation, claimed_at=now
    )
    said = {"start": start, "guidelines": annotation.guidelines_id} | events.origin()
    events.record("assignment.claimed", assignment, by=by, now=now, **said)
    return assignment
