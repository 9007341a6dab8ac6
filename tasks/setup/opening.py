"""Open, pause and close the queues of a project, and change their numbers; each is an event with who and when.

After a change of the order in which items are handed out, the tasks that exist get the new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation import events, projects, registry
from annotation.errors import NotFound, WrongMove
from annotation.models import Event, Project, User
from annotation.setup import changes
from tasks.engine import queues, transitions
from tasks.engine.transactions import service
from tasks.models import Queue
from tasks.models.states import QueueState
from tasks.setup import archiving

NAME = "main"
"""The name of the queue of an activity that leads open and close."""
AT_ONCE = 2000
"""Tasks that opening a queue creates before it answers; the job that fills queues creates the rest."""
CHANGED = "queue.changed"
"""The kind of the event of new numbers; its data has them `before` and `after`."""
LONGEST_LEASE = 14 * 24 * 60
"""Minutes."""


@dataclass(frozen=True)
class QueueSettings:
    """A queue's numbers: how long work is held, and below which agreement an item is disputed (None: never)."""

    lease_minutes: int
    least_agreement: float | None


def queue_of(project: Project, activity: str) -> Queue | None:
    """The activity's queue, or None if it has never been opened."""
    return Queue.objects.select_related("project").filter(project=project, activity=activity, name=NAME).first()


def default_numbers(project: Project, activity: str) -> QueueSettings:
    """The numbers with which a new queue starts."""
    config = projects.activity_config(project, activity)
    minutes = config.lease_minutes or registry.get(project.protocol).activity(activity).minutes
    return QueueSettings(minutes, config.least_agreement)


def open_queue(
    project: Project, activity: str, *, numbers: QueueSettings, by: User, now: datetime
) -> tuple[Queue, int]:
    """Open the queue, or open it again, with these numbers; returns it and how many tasks were created at once."""
    return _opened(project, activity, numbers=numbers, by=by, now=now), _filled(project, activity, now=now)


@service
def _opened(project: Project, activity: str, *, numbers: QueueSettings, by: User, now: datetime) -> Queue:
    archiving.check_in_use(project)
    queue, created = Queue.objects.select_related("project").get_or_create(
        project=project,
        activity=activity,
        name=NAME,
        defaults={"lease_minutes": numbers.lease_minutes, "least_agreement": numbers.least_agreement},
    )
    if not created:
        change(queue, numbers=numbers, by=by, now=now)
    if queue.state != QueueState.OPEN:
        transitions.queue(queue, QueueState.OPEN, by=by, now=now)
    return queue


def _filled(project: Project, activity: str, *, now: datetime) -> int:
    """Outside the transaction that opened it, so that a large queue holds no lock while it is filled."""
    found = queue_of(project, activity)
    return queues.fill(found, now=now, at_most=AT_ONCE) if found else 0


@service
def pause(project: Project, activity: str, *, by: User, now: datetime) -> None:
    """Hand out nothing more until the queue is opened again; what people hold stays theirs."""
    transitions.queue(_queue_of(project, activity), QueueState.PAUSED, by=by, now=now)


@service
def close(project: Project, activity: str, *, by: User, now: datetime) -> None:
    """The same for good, as far as anybody knows now; a closed queue can be opened again."""
    transitions.queue(_queue_of(project, activity), QueueState.CLOSED, by=by, now=now)


@service
def change(queue: Queue, *, numbers: QueueSettings, by: User, now: datetime, undone: Event | None = None) -> bool:
    """Give the queue these numbers; False, and no event, if it has them.

    A new lease time counts for what is claimed or renewed from now on, a new least agreement for what is settled.
    """
    before = numbers_of(locked_queue(queue))
    if numbers == before:
        return False
    fields = dict(vars(numbers))
    Queue.objects.filter(pk=queue.pk).update(**fields)
    for name, value in fields.items():
        setattr(queue, name, value)
    said = {"before": vars(before), "after": fields}
    events.record(CHANGED, queue, by=by, now=now, **said, **changes.undoing(undone))
    return True


def locked_queue(queue: Queue) -> Queue:
    """The queue as it is now, which nobody else changes until this transaction ends."""
    return Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)


@service
def undo(project: Project, event: int, *, by: User, now: datetime) -> None:
    """Give a queue the numbers that it had before that change; WrongMove if they have been changed since.

    Leases that were opened or renewed meanwhile keep their end, and disputes that were opened stay.
    """
    row = Event.objects.filter(pk=event, kind=CHANGED, project_id=project.pk).first()
    if row is None:
        raise NotFound
    queue = Queue.objects.select_for_update(no_key=True).get(pk=row.subject.partition(":")[2])
    if vars(numbers_of(queue)) != row.data["after"]:
        raise WrongMove(changes.LATER)
    change(queue, numbers=QueueSettings(**row.data["before"]), by=by, now=now, undone=row)


def numbers_of(queue: Queue) -> QueueSettings:
    """The numbers that the queue has."""
    return QueueSettings(queue.lease_minutes, queue.least_agreement)


def _queue_of(project: Project, activity: str) -> Queue:
    queue = queue_of(project, activity)
    if queue is None:
        raise NotFound
    return queue


def put_in_order_again(project: Project, changed: Iterable[str]) -> None:
    """Put the queues in order whose draw is among the changed fields (paths, as `changes.fields_of` has them)."""
    activities = [path.split(".")[2] for path in changed if path.startswith("config.activities.") and is_draw(path)]
    for queue in Queue.objects.filter(project=project, activity__in=activities):
        queue.project = project
        queues.put_in_order(queue)


def is_draw(path: str) -> bool:
    """Whether the field with this path says in which order items are handed out."""
    return path.endswith(".draw")


def undo_settings(project: Project, event: int, *, by: User, now: datetime) -> dict[str, Any]:
    """Undo a change of settings (`changes.undo`), and put the queues in the order of before."""
    changed = changes.undo(project, event, by=by, now=now)
    put_in_order_again(project, changed)
    return changed
