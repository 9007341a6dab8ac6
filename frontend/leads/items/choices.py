"""What the filters of the list of items offer, and the filters that are set, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation import registry
from annotation.models import Item, Project
from frontend.leads.board.cards import day
from frontend.leads.items.filters import SORTS, STATES, Filter
from tasks.engine import queues
from tasks.models import NO_DATA

BEHIND_MORE = ("activity", "queue", "person", "since", "until", "skipped", "reported", "excluded")
"""The filters that are seldom used."""


@dataclass(frozen=True)
class Chip:
    """A filter that is set, and the query of the list without it."""

    text: str
    without: str


def filter_choices(project: Project, wanted: Filter) -> dict[str, Any]:
    """The choices of each field: (value, title) pairs; `more`: whether one of the fields behind "more" is set."""
    found = Item.objects.filter(queues.visible(), project=project).order_by().values_list("split", flat=True).distinct()
    return {
        "splits": sorted(found),
        "states": [(key, title) for key, title in STATES.items()],
        "activities": _activities(project),
        "queues": _queues(project),
        "sorts": [(key, title) for key, title in SORTS.items()],
        "more": any(getattr(wanted, name) for name in BEHIND_MORE),
    }


def _activities(project: Project) -> list[tuple[str, str]]:
    return [(each.key, _(each.title)) for each in registry.get(project.protocol).activities]


def _queues(project: Project) -> list[tuple[str, str]]:
    titles = dict(_activities(project))
    rows = project.queues.exclude(activity__in=NO_DATA).order_by("pk")
    return [(str(row.pk), f"{titles.get(row.activity, row.activity)} · {row.name}") for row in rows]


def chips(project: Project, wanted: Filter) -> list[Chip]:
    """The filters that are set, each with the list without it."""
    activities, named = dict(_activities(project)), dict(_queues(project))
    said = {
        "q": _("“%(words)s”") % {"words": wanted.q},
        "split": wanted.split,
        "state": str(STATES.get(wanted.state, "")),
        "activity": activities.get(wanted.activity, wanted.activity),
        "queue": named.get(wanted.queue, wanted.queue),
        "person": wanted.person,
        "since": _("from %(day)s") % {"day": day(wanted.since, year=True)} if wanted.since else "",
        "until": _("until %(day)s") % {"day": day(wanted.until, year=True)} if wanted.until else "",
        "skipped": _("skipped"),
        "reported": _("reported"),
        "excluded": _("with an exclusion"),
    }
    return [Chip(text, wanted.without(name)) for name, text in said.items() if getattr(wanted, name)]
