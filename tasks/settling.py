"""All slots are in: the task is done, or disputed where its annotations agree too little."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from annotation import agreement
from annotation.models import User
from tasks import moving
from tasks.models import Assignment, Task
from tasks.states import AssignmentState, TaskState


def settle(task: Task, *, by: User | None, now: datetime) -> None:
    """Called under the task's lock whenever work was handed in; does nothing while a slot is not submitted."""
    if task.state != TaskState.FULL or task.slots is None:
        return
    submitted = task.assignments.filter(state=AssignmentState.SUBMITTED)
    ends = submitted.values_list("lease__closed_at", flat=True)
    if len(ends) < task.slots or None in ends:
        return  # not all in, or one belongs to an open block and may still be revised
    least = task.queue.least_agreement
    disputed = least is not None and len(ends) > 1 and _agreement(submitted) < least
    moving.task(task, TaskState.DISPUTED if disputed else TaskState.DONE, by=by, now=now)


def _agreement(submitted: QuerySet[Assignment]) -> float:
    return agreement.mean_of([row.annotation for row in submitted.select_related("annotation")])
