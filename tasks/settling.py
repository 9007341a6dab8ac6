"""All slots are in: the task is done, or disputed where its annotations agree too little."""

from __future__ import annotations

from datetime import datetime

from annotation import agreement
from annotation.models import User
from tasks import moving
from tasks.models import Task
from tasks.states import AssignmentState, TaskState


def settle(task: Task, *, by: User | None, now: datetime) -> None:
    """Called under the task's lock whenever work was handed in; does nothing while a slot is not submitted."""
    if task.state != TaskState.FULL or task.slots is None:
        return
    submitted = task.assignments.filter(state=AssignmentState.SUBMITTED).select_related("annotation", "lease")
    rows = list(submitted)
    if len(rows) < task.slots or any(row.lease.closed_at is None for row in rows):
        return  # not all in, or one belongs to an open block and may still be revised
    least = task.queue.least_agreement
    disputed = least is not None and len(rows) > 1 and agreement.mean_of([row.annotation for row in rows]) < least
    moving.task(task, TaskState.DISPUTED if disputed else TaskState.DONE, by=by, now=now)
