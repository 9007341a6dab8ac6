"""The order of the tasks in a queue: shuffled by the project's seed, or that of the imported files."""

from __future__ import annotations

from typing import Any, NamedTuple

from annotation import projects, randomness
from annotation.models import Item
from tasks.engine import transitions
from tasks.engine.transactions import service
from tasks.models import Queue, Task

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
