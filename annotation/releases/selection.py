"""What a recipe selects, as conditions of queries: items by split, annotations by activity, purpose and time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotation.models import Annotation, Item, Job, Project
from annotation.protocol import Format


def visible(relation: str = "") -> Q:
    """The items that people can see; `relation`: the way to them, such as "item__"."""
    return Q(**{f"{relation}job__isnull": True}) | Q(**{f"{relation}job__state": Job.State.DONE})


def is_sequestered(project: Project, split: str) -> bool:
    """Whether a split leaves only when it is named. Settings may spell it with a capital letter, which no split has."""
    return split.casefold() in {name.casefold() for name in project.config.get("sequestered", ())}


def in_splits(project: Project, recipe: Mapping[str, Any], relation: str = "", *, using: str) -> Q:
    """The items of the recipe's splits; if it names none, of all that are not sequestered."""
    if recipe["splits"]:
        return Q(**{f"{relation}split__in": recipe["splits"]})
    every = Item.objects.using(using).filter(project=project).order_by().values_list("split", flat=True).distinct()
    return ~Q(**{f"{relation}split__in": [split for split in every if is_sequestered(project, split)]})


def until_of(recipe: Mapping[str, Any]) -> datetime | None:
    """The recipe's cut-off: what was said later does not count."""
    return datetime.fromisoformat(recipe["until"]) if recipe.get("until") else None


def name_of(kind: str, external_id: str) -> str:
    """How a recipe names an item that it leaves out."""
    return f"{kind}/{external_id}"


def has_root_annotations(found: Format) -> bool:
    """Whether the format has annotations of roots besides those of their children."""
    return bool(found.child_kind) and found.root_activities != ()


def activities_of(found: Format) -> Q:
    """The annotations that a format is made of, of whatever purpose."""
    wanted = Q(activity=found.activity)
    if has_root_annotations(found):
        own = Q() if found.root_activities is None else Q(activity__in=found.root_activities)
        wanted |= Q(item__kind=found.kind) & own
    return wanted


def finished_until(rows: QuerySet[Annotation], until: datetime | None) -> QuerySet[Annotation]:
    """Those that were finished by the cut-off, if there is one."""
    return rows if until is None else rows.filter(completed_at__lte=until)


def excluded(project: Project, found: Format, *, recipe: dict[str, Any], using: str) -> dict[str, int]:
    """How many finished annotations of the format are left out because they were excluded, by split."""
    rows = Annotation.objects.using(using).filter(
        activities_of(found),
        item__project=project,
        purpose__in=recipe["purposes"],
        completed_at__isnull=False,
        excluded_at__isnull=False,
    )
    rows = finished_until(rows, until_of(recipe))
    return dict(rows.values_list("item__split").annotate(Count("pk")))


def splits(project: Project, found: Format) -> set[str]:
    """The splits of the items that people can see."""
    items = Item.objects.filter(visible(), project=project, kind=found.kind)
    return set(items.order_by().values_list("split", flat=True).distinct())
