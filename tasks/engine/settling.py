"""Settle a task whose slots are all submitted: it is done, or disputed if its annotations agree too little."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from annotation import registry
from annotation.db.compiled import Param, Prepared
from annotation.engine import committing, loading
from annotation.models import Annotation, User
from annotation.projects import project_config
from tasks.engine import queues, similarity, transitions
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState

EVALUATION = ("dev", "test")
"""Splits on which models are evaluated, by independent annotations: disputes only if the project wants them."""


def settle(task: Task, *, by: User | None, now: datetime) -> None:
    """Called under the task's lock whenever work was submitted; does nothing until all slots are."""
    if task.state != TaskState.FULL or task.slots is None:
        return
    activity, ends = registry.get(task.item.project.protocol).activity(task.activity), _ends(task=task.pk)
    if len(ends) < task.slots or (activity.block and None in ends):
        return  # not all are submitted, or one is in an open block and may still be revised
    disputed = len(ends) > len(activity.seats) and _is_disputed(task)
    transitions.task(task, TaskState.DISPUTED if disputed else TaskState.DONE, by=by, now=now)
    if not disputed:
        make_items(task)


def make_items(task: Task) -> None:
    """Create the items that its annotations lead to together.

    The last of them may have been finished long before, if a dispute was decided or an item frozen in between: queues
    look for new items only a little while back.
    """
    if committing.make_items_on_settled(task.item, lambda: finished(task)):
        queues.look_again(task.item.project)


def _is_disputed(task: Task) -> bool:
    """Whether its annotations agree less than the queue wants; the value is kept for the lists of the worst."""
    least = task.queue.least_agreement
    if least is None or (task.split in EVALUATION and not project_config(task.item.project).disputes_in_evaluation):
        similarity.forget(task.item, task.activity)
        return False
    found = _included(task)
    if len(found) < 2:
        similarity.forget(task.item, task.activity)
        return False
    agreed = similarity.of_records(task.item, loading.finished_records(found, task.item))
    similarity.keep(task.item, found, agreed)
    return agreed < least


def agreement_of(task: Task) -> float:
    """The agreement of a task's finished annotations (0..1) without those that are excluded, if two are left."""
    found = _included(task)
    compared = found if len(found) > 1 else finished(task)
    return similarity.of_records(task.item, loading.finished_records(compared, task.item))


def _included(task: Task) -> list[Annotation]:
    return [row for row in finished(task) if row.excluded_at is None]


def finished(task: Task) -> list[Annotation]:
    """The annotations submitted for a task, in order of completion."""
    handed_in = task.assignments.filter(state=AssignmentState.SUBMITTED).values("annotation")
    return list(Annotation.objects.filter(pk__in=handed_in).order_by("completed_at", "pk"))


@Prepared
def _ends() -> QuerySet[Assignment, datetime | None]:
    rows = Assignment.objects.filter(task=Param("task"), state=AssignmentState.SUBMITTED)
    return rows.values_list("lease__closed_at", flat=True)
