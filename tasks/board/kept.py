"""What a board shows besides daily counts, measured by a job: annotations wanted, and how long stages take."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef

from annotation import registry
from annotation.models import Project
from tasks.board import stage_times
from tasks.measuring import figures
from tasks.models import NO_DATA, Assignment, BoardFigures, Task
from tasks.models.states import TaskState


def measure(project: Project) -> dict[str, Any]:
    """Annotations wanted by queue and split, and the times of each activity in which work has been timed."""
    activities = registry.get(project.protocol).activities
    timed = {each.key: found for each in activities if (found := stage_times.with_intervals(project, each))}
    return {"wanted": _wanted(project), "times": timed}


def _wanted(project: Project) -> dict[str, dict[str, int]]:
    """Annotations that its tasks want. One that was done from the start wanted nothing: its item came with enough.

    Of activities that people do only for want of a partner, nothing is wanted.
    """
    protocol = registry.get(project.protocol)
    seats = {activity.key: len(activity.seats) for activity in protocol.activities}
    tasks = Task.objects.filter(queue__project=project).exclude(queue__activity__in=NO_DATA).order_by()
    tasks = tasks.exclude(activity__in=protocol.substitutes).exclude(state=TaskState.CANCELLED)
    begun = tasks.exclude(~Exists(Assignment.objects.filter(task=OuterRef("pk"))), state=TaskState.DONE)
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    rows = begun.values_list("queue", "activity", "split", "slots").annotate(n=Count("pk"))
    for queue, activity, split, slots, n in rows:
        by_split = found[str(queue)]
        by_split[split] = by_split.get(split, 0) + (slots or 0) * n // seats[activity]
    return dict(found)


def measure_due(*, now: datetime) -> int:
    """Measure the projects in which something has happened since the last time; returns how many.

    Like `figures.measure_due`, large ones in a process of its own.
    """
    due = [
        (project, last)
        for project in Project.objects.select_related("board_figures").order_by("pk")
        if figures.is_due(project, last := getattr(project, "board_figures", None), now=now)
    ]
    return figures.keep_each(due, keep, ("count_work", "--board"), now=now)


def keep(project: Project, *, now: datetime) -> dict[str, Any]:
    """Measure a project and keep what was found; returns it."""
    return figures.kept(BoardFigures, project, measure, now=now)


def of_page(project: Project) -> BoardFigures | None:
    """What was measured last, if anything."""
    return BoardFigures.objects.filter(project=project).first()
