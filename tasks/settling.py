"""All slots are in: the task is done, or disputed where its annotations agree too little."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from annotation import agreement
from annotation.db.compiled import Param, Prepared
from annotation.models import User
from tasks import transitions
from tasks.models import Assignment, Task
from tasks.states import AssignmentState, TaskState


def settle(task: Task, *, by: User | None, now: datetime) -> None:
    """Called under the task's lock whenever work was handed in; does nothing while a slot is not submitted."""
    if task.state != TaskState.FULL or task.slots is None:
        return
    ends = _ends(task=task.pk)
    if len(ends) < task.slots or None in ends:
        return  # not all in, or one belongs to an open block and may still be revised
    least = task.queue.least_agreement
    disputed = least is not None and len(ends) > 1 and agreed(task) < least
    transitions.task(task, TaskState.DISPUTED if disputed else TaskState.DONE, by=by, now=now)


def agreed(task: Task) -> float:
    """How much the finished work of a task agrees (0..1); there are two pieces of it at least."""
    submitted = task.assignments.filter(state=AssignmentState.SUBMITTED)
    return agreement.mean_of([row.annotation for row in submitted.select_related("annotation")])


@Prepared
def _ends() -> QuerySet:
    rows = Assignment.objects.filter(task=Param("task"), state=AssignmentState.SUBMITTED)
    return rows.values_list("lease__closed_at", flat=True)
