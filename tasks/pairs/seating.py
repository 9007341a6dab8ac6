"""Seat several people at one task: one annotation that all of them make, an assignment and a lease for each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotation import projects, registry
from annotation.engine import recording
from annotation.errors import NotEligible
from annotation.membership import lock_person
from annotation.models import Item, Project, Response, User
from tasks.engine import claiming, leases, queues, resuming, transitions
from tasks.engine.eligibility import SESSION, Seeker, free_tasks, refusal_for, still_free, why_not_claim
from tasks.engine.transactions import service
from tasks.models import Assignment, Queue, Task
from tasks.models.states import QueueState, TaskState


@service
def seat(
    project: Project, activity: str, people: Sequence[User], *, now: datetime, item: Item | None = None
) -> tuple[Assignment, ...]:
    """Give these people a task that is free for all of them, in the order of the activity's seats; () if none is.

    Lock order: membership rows by the people's keys (so that two seatings can't deadlock), queues, task. Raises
    NotEligible with the reason of the first person who may not work here.
    """
    found = registry.get(project.protocol).activity(activity)
    if len(people) != len(found.seats) or len({person.pk for person in people}) != len(people):
        raise ValueError(f"{activity} seats {len(found.seats)} different people.")
    for person in sorted(people, key=lambda person: person.pk):
        roles, consented, sees = lock_person(person, project)
        refused = why_not_claim(person, project, activity, roles=roles, consented=consented, sees=sees)
        if refused:
            raise refusal_for(refused)
    opened = [
        queue
        for queue in resuming.queues_of(project, activity, by=people[0], now=now, locked=True)
        if queue.state == QueueState.OPEN
    ]
    if any(project.leases.filter(activity=activity, annotator__in=people, closed_at__isnull=True)):
        raise NotEligible(reason="at_work")
    for queue in opened:
        queues.fill(queue, now=now, at_most=queues.AT_MOST_IN_A_CLAIM)
    chosen = _free_for_all(project, opened, people, item=item, now=now) if opened else None
    return _take(chosen, opened, people, now=now) if chosen else ()


def _free_for_all(
    project: Project, opened: list[Queue], people: Sequence[User], *, item: Item | None, now: datetime
) -> tuple[Task, int] | None:
    """The first task that each of them may be given, locked, and the first slot of an annotation with free seats."""
    activity, tried = registry.get(project.protocol).activity(opened[0].activity), list[int]()
    rows = free_for_all(project, opened, people, item=item, now=now).select_related("item")
    while (task := rows.exclude(pk__in=tried).select_for_update(of=("self",)).first()) is not None:
        places = free_places(task, len(activity.seats))
        if places and still_free(task, project.protocol, activity):
            return task, places[0]
        tried.append(task.pk)
    return None


def free_for_all(
    project: Project, opened: Sequence[Queue], people: Sequence[User], *, now: datetime, item: Item | None = None
) -> QuerySet[Task]:
    """The tasks of these queues that each of these people may be given, in order; some may have no group of seats.

    Unlike returned work of one person, an item is not given again to somebody who has talked about it with a partner
    who left: they know it, and the next partner's talk begins anew.
    """
    activity = registry.get(project.protocol).activity(opened[0].activity)
    by_file = projects.draws_as_imported(project, activity.key)
    first, *others = [
        Seeker(person, project, tuple(opened), activity, project.protocol, now - SESSION, None, item, by_file)
        for person in people
    ]
    rows = free_tasks(first)
    for seek in others:
        rows = rows.filter(pk__in=free_tasks(seek).order_by().values("pk"))
    said = Response.objects.filter(annotation=OuterRef("annotation"))
    met = Assignment.objects.filter(Exists(said), annotator__in=people, task__activity=activity.key)
    return rows.exclude(item__in=met.values("task__item"))


def free_places(task: Task, seats: int) -> list[int]:
    """The first slot of each annotation whose seats are all free."""
    held = transitions.held_slots(task)
    return [first for first in range(0, task.slots or 0, seats) if held.isdisjoint(range(first, first + seats))]


def _take(
    chosen: tuple[Task, int], opened: list[Queue], people: Sequence[User], *, now: datetime
) -> tuple[Assignment, ...]:
    task, first = chosen
    queue = next(queue for queue in opened if queue.pk == task.queue_id)
    seats = registry.get(queue.project.protocol).activity(queue.activity).seats
    annotation = recording.open_annotation(
        item_id=task.item_id,
        author=None,
        activity=task.activity,
        round=task.round,
        guidelines_id=queue.guidelines,
        now=now,
    )
    task.queue, annotation.item = queue, task.item
    task.item.project = queue.project
    held = []
    for place, (person, name) in enumerate(zip(people, seats, strict=True)):
        lease = leases.open_lease(annotator=person, queue=queue, now=now)
        row = claiming.hold_slot(task, first + place, lease=lease, annotation=annotation, now=now, seat=name)
        held.append(resuming.attach_relations(row, lease=lease, by=person))
    if len(transitions.held_slots(task)) >= (task.slots or 0):
        transitions.task(task, TaskState.FULL, by=None, now=now)
    return tuple(held)
