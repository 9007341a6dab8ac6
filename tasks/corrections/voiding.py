"""Void finished work: it is excluded and its slot is free for somebody else.

With what every correction needs: the assignments by which work was handed in, and its locked task.
"""

from __future__ import annotations

import uuid as uuids
from datetime import datetime

from annotation.engine import exclusion
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Adjudication, Annotation, Project, Purpose, User
from tasks.engine import settling, transitions
from tasks.engine.transactions import service
from tasks.items import reports
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


@service
def void(project: Project, uuid: uuids.UUID, *, by: User | None, reason: str, now: datetime) -> Assignment:
    """Exclude the annotation, with the reason, and free its slot; the work stays in the record.

    Raises NotFound, or WrongMove with a sentence on why the slot can't be freed.
    """
    annotation = Annotation.objects.filter(uuid=uuid, item__project=project).first()
    if annotation is None:
        raise NotFound(f"{project.slug} has no annotation {uuid}.")
    handed_in = handed_in_of(annotation)
    task = locked_task(handed_in)
    if task is None:
        raise WrongMove("Only work that a member of this project has finished can be voided.")
    refused = next(filter(None, (why_not_void(annotation, held) for held in handed_in)), None)
    if refused:
        raise WrongMove(refused)
    exclusion.exclude(project, uuids=[uuid], by=by, reason=reason, now=now)
    for held in handed_in:
        transitions.assignment(held, AssignmentState.REJECTED, by=by, now=now, reason=reason)
    if task.state == TaskState.DONE:
        transitions.task(task, TaskState.OPEN, by=by, now=now)
        reports.freeze_again(task, now=now)
    return handed_in[0]


@service
def reinstate(project: Project, uuid: uuids.UUID, *, by: User | None, reason: str, now: datetime) -> None:
    """Undo `void`: the annotation counts again, in its slot; WrongMove once somebody else has that, or it has none."""
    annotation = Annotation.objects.filter(uuid=uuid, item__project=project).first()
    rejected = [] if annotation is None else in_state(annotation, AssignmentState.REJECTED)
    task = locked_task(rejected)
    if annotation is None or task is None:
        raise NotFound(f"{project.slug} has no annotation {uuid} without its slot.")
    if task.state not in CORRECTABLE or not transitions.held_slots(task).isdisjoint(row.slot for row in rejected):
        raise WrongMove(_("Somebody else has its place now. Include it again, and both count."))
    exclusion.restore(project, uuids=[uuid], by=by, reason=reason, now=now)
    for row in rejected:
        transitions.assignment(row, AssignmentState.SUBMITTED, by=by, now=now, reinstated=True)
    settling.settle(task, by=by, now=now)


def why_not_void(annotation: Annotation, held: Assignment) -> str | None:
    """Why the slot of this work can't be freed, or None."""
    if annotation.purpose == Purpose.REFERENCE:
        return "An expert has written it to decide a dispute."
    if held.state != AssignmentState.SUBMITTED:
        return "Its author has it open again; wait until they have submitted it."
    if is_decided(annotation):
        return str(DECIDED)
    if annotation.made.exists():
        return "Items were made from it, and other people may be working on them."
    if held.task.state not in CORRECTABLE:
        return "Its task is frozen, disputed or withdrawn."
    return None
