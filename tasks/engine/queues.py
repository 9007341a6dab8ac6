"""Open queues, and create tasks for items: by open_queue, by a claim before it says "no work", and by Celery beat.

The order of the tasks is shuffled by the project's seed, or that of the imported files.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation import projects, randomness, registry
from annotation.db import analyze
from annotation.errors import WrongMove
from annotation.models import Annotation, Case, CaseKind, CaseState, Item, Job, Project, Purpose, User, items_in_work
from annotation.releases import selection
from tasks.engine import transitions
from tasks.engine.transactions import service
from tasks.models import Queue, Task
from tasks.models.states import QueueState, TaskState

BATCH = 500
"""Tasks that are changed in one transaction."""


class _TaskRow(NamedTuple):
    pk: int
    order: int
    kind: str
    external_id: str
    position: int


def order_of(queue: Queue, item: Item | _TaskRow, *, of_the_file: bool) -> int:
    """`Task.order`. In the order of the files, one import comes after another, and what work makes beside its item."""
    if of_the_file:
        return item.position
    seed: Any = queue.project.config.get("seed", "")
    return randomness.number(seed, queue.activity, queue.name, item.kind, item.external_id)


def put_in_order(queue: Queue) -> int:
    """Give the tasks of a queue the order that the config says now, in batches; returns how many had another."""
    of_the_file = projects.draws_as_imported(queue.project, queue.activity)
    tasks = Task.objects.filter(queue=queue).order_by("pk")
    columns = ("pk", "order", "item__kind", "item__external_id", "item__position")
    wrong: list[tuple[int, int]] = []
    for row in map(_TaskRow._make, tasks.values_list(*columns).iterator()):
        wanted = order_of(queue, row, of_the_file=of_the_file)
        if row.order != wanted:
            wrong.append((row.pk, wanted))
    for start in range(0, len(wrong), BATCH):
        _set(dict(wrong[start : start + BATCH]))
    return len(wrong)


@service
def _set(orders: dict[int, int]) -> None:
    rows = transitions.lock(list(orders))
    for row in rows.values():
        row.order = orders[row.pk]
    Task.objects.bulk_update(rows.values(), ["order"])


AT_MOST_IN_A_CLAIM = 200
"""Tasks that a claim creates before it says "no work"; the rest is left to open_queue and Celery beat."""
MANY = 1000
"""Tasks per bulk insert; after that many, planner statistics are refreshed."""
UNDER_WAY = timedelta(minutes=10)
"""Longer than any request: `completed_at` is set before its transaction commits, and a fill may run in between."""
LOOKED_AT = timedelta(hours=1)
"""`filled_at` is at most about this old while a queue is open, so that what came since then is little to read."""


visible = selection.visible_items


def lacking(queue: Queue) -> QuerySet[Item]:
    """Items that belong in the queue and have no task in it yet, in order."""
    activity = registry.get(queue.project.protocol).activity(queue.activity)
    items = Item.objects.filter(visible(), project_id=queue.project_id, kind=activity.kind)
    if activity.train_only:
        items = items.filter(split="train")
    not_accepted = Case.objects.filter(kind=CaseKind.ACCEPTANCE, annotation__made=OuterRef("pk"))
    imported = Count("annotations", filter=Q(annotations__purpose=Purpose.IMPORT, annotations__activity=activity.key))
    return (
        items.filter(~Exists(Task.objects.filter(queue=queue, item=OuterRef("pk"))))
        # An item made from a withdrawn item is withdrawn with it.
        .filter(~Exists(Task.objects.filter(item=OuterRef("root"), state=TaskState.CANCELLED)))
        .filter(~Exists(not_accepted.exclude(state=CaseState.UPHELD)))
        .annotate(imported=imported)
        .order_by("position", "pk")
    )


def new_in(queue: Queue) -> list[QuerySet[Item]]:
    """The items of an open queue that `fill` would create tasks for, as one or more queries with no item in common.

    After the queue was filled completely, only what came since is looked for: SQLite would else read all items.
    """
    if queue.state != QueueState.OPEN:
        return []
    rows = lacking(queue).order_by()
    if queue.filled_at is None:
        return [rows]
    since = queue.filled_at - UNDER_WAY
    finished = set(Annotation.objects.filter(completed_at__gte=since).values_list("pk", flat=True))
    made = set(Item.objects.filter(made_from__any_of=finished).values_list("pk", flat=True)) if finished else set()
    jobs = set(Job.objects.filter(project=queue.project_id, finished_at__gte=since).values_list("pk", flat=True))
    return [*([rows.filter(pk__any_of=made)] if made else []), *([rows.filter(job__any_of=jobs)] if jobs else [])]


def fill(queue: Queue, *, now: datetime, at_most: int | None = None) -> int:
    """Create the missing tasks of an open queue and return how many; safe to run concurrently."""
    if queue.state != QueueState.OPEN:
        return 0
    if not _something_new(queue):
        if queue.filled_at is not None and now - queue.filled_at >= LOOKED_AT:
            _filled(queue, now=now)
        return 0
    made, batch = 0, min(at_most or MANY, MANY)
    while True:
        items = list(lacking(queue)[:batch])
        _create_tasks(queue, items)
        made += len(items)
        if len(items) < batch:
            if made >= MANY:
                analyze.analyze(Task, Item)
            _filled(queue, now=now)
            return made
        if at_most is not None and made >= at_most:
            return made


def _filled(queue: Queue, *, now: datetime) -> None:
    """Note that nothing is missing in the queue."""
    Queue.objects.filter(pk=queue.pk).update(filled_at=now)
    queue.filled_at = now


def fill_under(item: Item) -> None:
    """Create the missing tasks of the items under this one in the open queues of its project."""
    for queue in Queue.objects.filter(project=item.project, state=QueueState.OPEN).select_related("project"):
        _create_tasks(queue, list(lacking(queue).filter(root=item)))


def look_again(project: Project) -> None:
    """Have every queue of the project filled again from the beginning, after old work has led to new items."""
    Queue.objects.filter(project=project).update(filled_at=None)


def fill_block(queues: Iterable[Queue], root: int) -> None:
    """Create the missing tasks under a root in these queues, so that a claimed block is complete: with items that were
    made a moment ago, and those that `fill` has not reached."""
    for queue in queues:
        _create_tasks(queue, list(lacking(queue).filter(root=root)))


def _create_tasks(queue: Queue, items: list[Any]) -> None:
    """Create tasks for these items, but for those that have left the work since they were read.

    An import is being undone, or an item set aside, under the lock of its items (`tasks.setup.undoing_imports`,
    `tasks.items.setting_aside`), for which the insert waits.
    """
    if not items:
        return
    with transaction.atomic():
        Task.objects.bulk_create(_tasks(queue, items), ignore_conflicts=True)
        if connection.vendor == "postgresql":
            # References are checked, and so their rows locked, at the end of the transaction, unless one asks.
            connection.check_constraints()
        left = Item.with_undone.filter(pk__any_of={item.pk for item in items}).exclude(items_in_work())
        if gone := set(left.values_list("pk", flat=True)):
            Task.objects.filter(queue=queue, item__any_of=gone).delete()


def _tasks(queue: Queue, items: Iterable[Any]) -> list[Task]:
    """Tasks for items: slots for the annotations still missing, times seats; done if imported ones are enough."""
    activity = registry.get(queue.project.protocol).activity(queue.activity)
    wanted, made = projects.WantedOverlap(queue.project, queue.activity), []
    of_the_file = projects.draws_as_imported(queue.project, queue.activity)
    for item in items:
        missing = wanted.overlap_of(split=item.split, item=item.external_id) - item.imported
        task = Task(
            queue=queue,
            item=item,
            activity=queue.activity,
            split=item.split,
            slots=max(1, missing) * len(activity.seats),
            train_only=activity.train_only,
            order=order_of(queue, item, of_the_file=of_the_file),
            state=TaskState.OPEN if missing > 0 else TaskState.DONE,
        )
        made.append(task)
    return made


def _something_new(queue: Queue) -> bool:
    """Whether an import or finished work has added items since the queue was last filled completely."""
    if queue.filled_at is None:
        return True
    since = queue.filled_at - UNDER_WAY
    imported = Job.objects.filter(project_id=queue.project_id, state=Job.State.DONE, finished_at__gte=since)
    made = Item.objects.filter(project_id=queue.project_id, made_from__completed_at__gte=since)
    return imported.exists() or made.exists()


def open_queue(
    project: Project, activity: str, *, by: User | None, now: datetime, least_agreement: float | None = None
) -> tuple[Queue, int]:
    """Open (or re-open) the main queue of an activity and fill it; returns it and the number of new tasks.

    WrongMove if the project is archived.
    """
    if project.archived_at is not None:
        raise WrongMove("The project is archived.", reason="archived")
    config = projects.activity_config(project, activity)
    minutes = config.lease_minutes or registry.get(project.protocol).activity(activity).minutes
    least = config.least_agreement if least_agreement is None else least_agreement
    queue, _ = Queue.objects.select_related("project").get_or_create(
        project=project,
        activity=activity,
        name="main",
        defaults={"lease_minutes": minutes, "least_agreement": least},
    )
    if queue.state != QueueState.OPEN:
        transitions.queue(queue, QueueState.OPEN, by=by, now=now)
    if projects.draws_as_imported(queue.project, activity):
        put_in_order(queue)  # tasks of earlier versions are shuffled
    return queue, fill(queue, now=now)
