"""Reports about items, and explanations for skipping many in a row, for the lead."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.models import Event, Flag, Item, Project, User
from frontend.leads.overview import prompt_of
from tasks import reports
from tasks.models import Task
from tasks.states import TaskState

SHOWN = 20


def reported_items(project: Project) -> list[dict[str, Any]]:
    """The items with unsettled reports, most reported first, with the reasons and whether the item is frozen.

    The last are those that nobody has reported, but the site could not show.
    """
    rows = Flag.objects.filter(item__project=project, settled_at=None)
    most = rows.values("item").annotate(people=Count("author")).order_by("-people", "item")[:SHOWN]
    people = {row["item"]: row["people"] for row in most}
    flags = list(rows.filter(item__in=people).select_related("item__project").order_by("at"))
    frozen = set(Task.objects.filter(item__in=people, state=TaskState.FROZEN).values_list("item", flat=True))
    reported = [
        {
            "item": item_id,
            "prompt": prompt_of(next(flag.item for flag in flags if flag.item_id == item_id)),
            "reasons": sorted({flag.get_reason_display() for flag in flags if flag.item_id == item_id}),
            "people": count,
            "frozen": item_id in frozen,
        }
        for item_id, count in people.items()
    ]
    return reported + _held_back(project)


def _held_back(project: Project) -> list[dict[str, Any]]:
    tasks = reports.held_back(project).select_related("item__project").order_by("pk")[:SHOWN]
    return [
        {"item": item.pk, "prompt": prompt_of(item), "reasons": [_("It can't be shown")], "people": 0, "frozen": True}
        for item in dict.fromkeys(task.item for task in tasks)
    ]


def reports_on(item: Item) -> list[dict[str, Any]]:
    """Every report about an item, newest first, under worker codes; before them, that the site could not show it."""
    found: list[dict[str, Any]] = [
        {
            "who": flag.author.worker_code,
            "reason": flag.get_reason_display(),
            "text": flag.text,
            "at": flag.at,
            "settled_at": flag.settled_at,
        }
        for flag in item.flags.select_related("author").order_by("-at")
    ]
    if event := reports.why_held_back(item):
        said = {"reason": _("It can't be shown"), "text": event.data["reason"]}
        found.insert(0, {"who": "", "at": event.at, "settled_at": None} | said)
    return found


def report_state(item: Item) -> dict[str, bool]:
    """Whether the item is frozen, and whether there is something to unfreeze or settle."""
    states = set(item.tasks.values_list("state", flat=True))
    reported = item.flags.filter(settled_at=None).exists()
    return {
        "frozen": TaskState.FROZEN in states,
        "can_unfreeze": reported or TaskState.FROZEN in states,
    }


def skip_explanations(project: Project) -> list[dict[str, Any]]:
    """What people said was wrong after skipping many in a row, newest first."""
    said = list(Event.objects.filter(kind="skips.explained", project_id=project.pk).order_by("-pk")[:SHOWN])
    people = {event.by for event in said if event.by}
    codes: dict[int | None, str] = dict(User.objects.filter(pk__in=people).values_list("pk", "worker_code"))
    return [{"who": codes[event.by], "text": event.data["text"], "at": event.at} for event in said]
