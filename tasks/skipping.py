"""Many skips in a row: the person is asked what is wrong, and what they say stands in the history."""

from __future__ import annotations

from datetime import datetime

from annotation import events
from annotation.models import User
from tasks.models import Assignment
from tasks.states import AssignmentState

MANY = 3
"""After more skips in a row than this the person is asked what is wrong."""


def in_a_row(assignment: Assignment) -> int:
    """How many of the person's last assignments in the activity were skipped one after the other, up to MANY + 1."""
    mine = Assignment.objects.filter(annotator_id=assignment.annotator_id, lease__project=assignment.lease.project_id)
    last = mine.filter(lease__activity=assignment.lease.activity).exclude(state=AssignmentState.LEASED)
    states = list(last.order_by("-closed_at", "-pk").values_list("state", flat=True)[: MANY + 1])
    return next((n for n, state in enumerate(states) if state != AssignmentState.SKIPPED), len(states))


def explain(assignment: Assignment, *, by: User, text: str, now: datetime) -> None:
    """Keep what the person says is wrong, with the skip after which they were asked."""
    if text.strip():
        project = assignment.task.item.project
        events.record("skips.explained", project, by=by, now=now, text=text, assignment=str(assignment.uuid))
