"""Settle a task whose slots are all submitted: it is done, or disputed if its annotations agree too little."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from annotation import follow_ups, loading, registry
from annotation.agreement import likeness
from annotation.db.compiled import Param, Prepared
from annotation.models import Annotation, User
from tasks import transitions
from tasks.models import Assignment, Task
from tasks.states import AssignmentState, TaskState


def settle(task: Task, *, by: User | None, now: datetime) -> None:
    """Called under the task's lock whenever work was submitted; does nothing until all slots are."""
    if task.state != TaskState.FULL or task.slots is None:
        return
    ends = _ends(task=task.pk)
    if len(ends) < task.slots or None in ends:
        return  # not all are submitted, or one is in an open block and may still be revised
    least = task.queue.least_agreement
    seats = len(registry.get(task.item.project.protocol).activity(task.activity).seats)
    disputed = least is not None and len(ends) > seats and agreement_of(task) < least
    transitions.task(task, TaskState.DISPUTED if disputed else TaskState.DONE, by=by, now=now)
    if not disputed:
        follow_ups.make_items_on_settled(task.item, lambda: finished(task))


def agreement_of(task: Task) -> float:
    """The agreement of a task's finished annotations (0..1), of which there are at least two."""
    records = loading.finished_records(finished(task), task.item)
    return likeness.mean_likeness(records, registry.get(task.item.project.protocol).compare)


def finished(task: Task) -> list[Annotation]:
    """The annotations submitted for a task, in order of completion."""
    handed_in = task.assignments.filter(state=AssignmentState.SUBMITTED).values("annotation")
    return list(Annotation.objects.filter(pk__in=handed_in).order_by("completed_at", "pk"))


@Prepared
def _ends() -> QuerySet:
    rows = Assignment.objects.filter(task=Param("task"), state=AssignmentState.SUBMITTED)
    return rows.values_list("lease__closed_at", flat=True)
