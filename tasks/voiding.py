"""A lead takes finished work out of its slot: somebody else is given the item, its author never again."""

from __future__ import annotations

import uuid as uuids
from datetime import datetime

from django.db import transaction

from annotation import events, exclusion
from annotation.errors import NotFound, WrongMove
from annotation.models import Annotation, Project, User
from tasks import reports, transitions
from tasks.models import Assignment
from tasks.reopening import OPEN_FOR_IT
from tasks.states import AssignmentState, TaskState
from tasks.transactions import retry_on_conflict


@retry_on_conflict
@transaction.atomic
@events.together()
def void(project: Project, uuid: uuids.UUID, *, by: User | None, reason: str, now: datetime) -> Assignment:
    """Exclude the annotation, with the reason, and free its slot; the work stays in the record.

    Raises NotFound, or WrongMove with a sentence that says why the slot can't be freed.
    """
    annotation = Annotation.objects.filter(uuid=uuid, item__project=project).first()
    if annotation is None:
        raise NotFound(f"{project.slug} has no annotation {uuid}.")
    mine = annotation.assignments.select_related("task__queue", "lease", "annotator")
    held = mine.filter(state=AssignmentState.SUBMITTED).first()
    if held is None:
        raise WrongMove("It is no finished work of somebody who works here.")
    held.task = transitions.lock_one(held.task)
    held.refresh_from_db(fields=["state"])
    refused = why_not_void(annotation, held)
    if refused:
        raise WrongMove(refused)
    exclusion.exclude(project, uuids=[uuid], by=by, reason=reason, now=now)
    transitions.assignment(held, AssignmentState.REJECTED, by=by, now=now, reason=reason)
    if held.task.state == TaskState.DONE:
        transitions.task(held.task, TaskState.OPEN, by=by, now=now)
        reports.freeze_again(held.task, now=now)
    return held


def why_not_void(annotation: Annotation, held: Assignment) -> str | None:
    """Why the slot of this work can't be freed, or None."""
    if held.state != AssignmentState.SUBMITTED:
        return "It is open again; wait until its author has handed it in."
    if annotation.made.exists():
        return "Items were made from it, and others work on them."
    if held.task.state not in OPEN_FOR_IT:
        return f"Its task is {held.task.get_state_display().lower()}."
    return None
