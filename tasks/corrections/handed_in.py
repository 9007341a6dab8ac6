"""Finished work that is to be corrected: the assignments by which it was handed in, and its locked task."""

from __future__ import annotations

from annotation.i18n import _
from annotation.models import Adjudication, Annotation
from tasks.engine import transitions
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState

CORRECTABLE = (TaskState.OPEN, TaskState.FULL, TaskState.DONE)
"""States of a task whose work can be re-opened or voided."""
DECIDED = _("A dispute about it was decided; that decision has to be taken back first.")
"""Why work can't be re-opened or voided once it was compared and decided about."""


def handed_in_of(annotation: Annotation) -> list[Assignment]:
    """The submitted assignments of finished work, one for each of its authors."""
    return in_state(annotation, AssignmentState.SUBMITTED)


def in_state(annotation: Annotation, state: AssignmentState) -> list[Assignment]:
    """Its assignments in this state, with all that a correction reads."""
    rows = annotation.assignments.filter(state=state).order_by("slot")
    return list(rows.select_related("task__queue__project", "task__item__project", "lease__queue", "annotator"))


def locked_task(handed_in: list[Assignment]) -> Task | None:
    """Lock their task and refresh their states; None if there are no assignments."""
    if not handed_in:
        return None
    task = transitions.lock_one(handed_in[0].task)
    for held in handed_in:
        held.refresh_from_db(fields=["state"])
        held.task = task
    return task


def is_decided(annotation: Annotation) -> bool:
    """Whether an expert's decision about it stands."""
    return Adjudication.standing(annotation.item, annotation.activity, annotation.round) is not None
