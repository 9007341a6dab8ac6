"""What happens in the copy: its queues are opened, bots do all the work, and everything is released in each format."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from django.db.models import Count, Max, Sum

from annotation import clock, registry, releases
from annotation.errors import Refused
from annotation.models import Item, Project, Response
from annotation.projects import WantedOverlap
from annotation.protocol import Activity
from annotation.releases import manifest_of, rebuild
from frontend.bots.bot import Rates, WorkEnding
from frontend.bots.crowd import Crowd
from tasks.engine import queues
from tasks.models import Task
from tasks.models.states import TaskState

CUT = 0.1
"""The share of answers whose response is lost on its way, so that they are sent again."""
LONGEST = 15 * 60
"""Seconds of bots' work."""
SPARE = 2
"""People beyond those that an item wants, since some give their work back."""


def play(project: Project, asked: Mapping[str, Any], *, progress: Callable[[int, int], None]) -> dict[str, Any]:
    """Rehearse the project; `asked` has the shares of careless, late, abandoned and returned work as `Rates`."""
    protocol = registry.get(project.protocol)
    for activity in protocol.activities:
        queues.open_queue(project, activity.key, by=None, now=clock.now())
    activities = [each for each in protocol.activities if each.key not in protocol.substitutes]
    crowd = Crowd(project, activities, _people(project, activities), Rates(**asked["rates"]), "rehearsal", cut=CUT)
    places = Task.objects.aggregate(n=Sum("slots"))["n"] or 0
    refused, end = "", time.monotonic() + LONGEST
    try:
        crowd.run(progress=lambda _what, done, _of: progress(min(done, places), places), seconds=LONGEST)
    except AssertionError as why:
        refused = str(why)
    sent = {key for bot in crowd.bots for key in bot.accepted}
    kept = {str(key) for key in Response.objects.exclude(submission_key=None).values_list("submission_key", flat=True)}
    return {
        "items": Item.objects.filter(root=None, made_from=None).count(),
        "people": len({bot.user.pk for bot in crowd.bots}),
        "taken": crowd.tally["taken"],
        "courses": {course.name.lower(): crowd.tally[course] for course in WorkEnding},
        "careless": crowd.tally["wrong"],
        "sent": len(sent),
        "cut": sum(bot.cuts for bot in crowd.bots),
        "lost": len(sent - kept),
        "refused": refused,
        "too_long": time.monotonic() >= end,
        "activities": [_done(project, activity) for activity in activities],
        "formats": [_released(project, one.key) for one in releases.formats_of(project)],
    }


def _people(project: Project, activities: Iterable[Activity]) -> int:
    """Enough for the item that wants most people, also for items that are only made during the play."""
    splits = set(project.items.values_list("split", flat=True))
    wanted = (WantedOverlap(project, each.key).most(splits) * len(each.seats) for each in activities)
    return max(wanted, default=1) + SPARE


def _done(project: Project, activity: Activity) -> dict[str, Any]:
    """The items of an activity by the state of their tasks, and how many people one of them `wants` at most."""
    tasks = Task.objects.filter(queue__project=project, activity=activity.key)
    states = dict(tasks.values_list("state").annotate(n=Count("pk")))
    return {
        "activity": activity.key,
        "wants": max(tasks.aggregate(most=Max("slots"))["most"] or 0, len(activity.seats)),
        "done": states.get(TaskState.DONE, 0),
        "disputed": states.get(TaskState.DISPUTED, 0),
        "open": sum(n for state, n in states.items() if state not in (TaskState.DONE, TaskState.DISPUTED)),
    }


def _released(project: Project, format: str) -> dict[str, Any]:
    """How a release of everything went in one format: it is written, read again, and compared with what was written."""
    splits = sorted(set(project.items.values_list("split", flat=True)))
    try:
        made = releases.build(project, format=format, by=None, now=clock.now(), splits=splits, partial=True)
        with tempfile.TemporaryDirectory() as folder:
            rebuild.rebuild(made, Path(folder))
    except Refused as why:
        return {"format": format, "why": why.message or why.reason, "items": None}
    counts = manifest_of(made)["counts"].values()
    return {"format": format, "why": "", "items": sum(one["items"] for one in counts)}
