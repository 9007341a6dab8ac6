"""End shared work whose people have all been away too long: a job does, and whoever finds nothing left in a lobby."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from annotation import projects
from annotation.models import Project
from tasks.engine import assignments, clocks, enough, leases, transitions
from tasks.engine.transactions import service
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tasks.pairs import presence


def end_abandoned(*, now: datetime, project: Project | None = None, activity: str | None = None) -> int:
    """End the shared work (of one activity, if given) that nobody has been at for ALL_LOST; returns how much."""
    ago = now - presence.ALL_LOST
    held = Assignment.objects.filter(state=AssignmentState.LEASED, claimed_at__lte=ago).exclude(seat="one")
    held = held.filter(Q(seen_at=None) | Q(seen_at__lte=ago), annotation__completed_at=None)
    if project is not None:
        held = held.filter(task__queue__project=project, task__activity=activity)
    found = held.select_related("task__item__project", "annotation", "annotator", "lease__queue__project")
    first = {row.annotation_id: row for row in found.order_by("-pk")}
    return sum(_end(row, now=now) for row in first.values())


@service
def _end(held: Assignment, *, now: datetime) -> bool:
    """End it unless somebody has come back; what was said is kept, and the item is free for others."""
    assignments.lock(held)
    held.refresh_from_db(fields=["seen_at"])
    rows = leases.leased_seats(held) if held.state == AssignmentState.LEASED else []
    config = projects.activity_config(held.task.item.project, held.task.activity)
    kept = timedelta(minutes=config.kept_minutes)
    if not rows:
        return False
    last = max(presence.last_sign(row) for row in rows)
    if clocks.clock(held.task.item.project_id, since=last).passed(last, now) < kept:
        return False
    enough.finish_if_enough(held, now=now)
    for row in rows:
        row.annotation = held.annotation
        transitions.assignment(row, AssignmentState.RETURNED, by=None, now=now, reason="all_lost")
        leases.close_and_settle(row.lease, now=now)
    return True
