"""What the screen of an assignment shows of its block, and of a lead who has sent finished work back."""

from __future__ import annotations

import uuid as uuids
from dataclasses import dataclass

from django.urls import reverse

from annotation.engine.work import Work
from annotation.models import Draft
from tasks import corrections
from tasks.models import Assignment
from tasks.models.states import LEAVES_ITEM_FREE, AssignmentState


@dataclass(frozen=True)
class Reopened:
    """A lead has sent finished work back to its author; `reason` in the lead's words."""

    reason: str


@dataclass(frozen=True)
class BlockPart:
    """One piece of work of a block: `state` is untouched, draft, committed or skipped."""

    uuid: uuids.UUID
    url: str
    prompt: str
    state: str
    current: bool


def reopened_by_lead(assignment: Assignment) -> Reopened | None:
    """The lead's reason if this is finished work that is open again."""
    again = assignment.state == AssignmentState.LEASED and corrections.last_reopening(assignment)
    return Reopened(reason=again.data["reason"]) if again else None


def block_parts(assignment: Assignment, work: Work) -> tuple[BlockPart, ...]:
    """The parts of the block in the order in which they were claimed."""
    rows = assignment.lease.assignments.select_related("task__item").order_by("pk")
    drafted = set(Draft.objects.filter(annotation__assignments__in=rows).values_list("annotation_id", flat=True))
    states = {AssignmentState.SUBMITTED: "committed", AssignmentState.SKIPPED: "skipped"}
    return tuple(
        BlockPart(
            uuid=row.uuid,
            url=reverse("work", args=[row.uuid]),
            prompt=work.protocol.caption(row.task.item.kind, row.task.item.payload),
            state=states.get(AssignmentState(row.state)) or ("draft" if row.annotation_id in drafted else "untouched"),
            current=row.pk == assignment.pk,
        )
        for row in rows.exclude(state__in=LEAVES_ITEM_FREE)
    )
