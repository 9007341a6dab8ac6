"""The items on which annotations agree least, in order, and the neighbours of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Item, Project, User
from annotation.protocol import Activity
from frontend.leads.items.overview import prompt_of
from tasks.disputes import who
from tasks.engine import queues
from tasks.models import ItemSimilarity, Task
from tasks.models.states import TaskState

PER_PAGE = 50


@dataclass(frozen=True)
class RankInList:
    """Where an item is in the list: its number (None if it has not been measured), and the items beside it."""

    number: int | None
    total: int
    before: int | None
    after: int | None


def listed(user: User, project: Project, activity: Activity, *, split: str, page: str) -> Page[ItemSimilarity]:
    """A page of items from the least agreement up: `similarity` of each, its `item` with `prompt`, `disputed`."""
    rows = _rows(user, project, activity, split).select_related("item__project")
    shown: Page[Any] = Paginator(rows.annotate(disputed=_disputed()), PER_PAGE).get_page(page)
    for row in shown.object_list:
        row.prompt = prompt_of(row.item)
    return shown


def splits(user: User, project: Project, activity: Activity) -> list[str]:
    """The splits of the items that are listed."""
    rows = _rows(user, project, activity, "").order_by()
    return sorted(rows.values_list("item__split", flat=True).distinct())


def place_of(user: User, item: Item, activity: Activity, *, split: str) -> RankInList:
    """Where the item is in the list that the person walks through."""
    rows = _rows(user, item.project, activity, split)
    mine = rows.filter(item=item).first()
    if mine is None:
        first = rows.values_list("item", flat=True).first()
        return RankInList(None, rows.count(), None, first)
    earlier = Q(value__lt=mine.value) | Q(value=mine.value, item__lt=item.pk)
    later = Q(value__gt=mine.value) | Q(value=mine.value, item__gt=item.pk)
    before = rows.filter(earlier)
    return RankInList(
        number=before.count() + 1,
        total=rows.count(),
        before=before.reverse().values_list("item", flat=True).first(),
        after=rows.filter(later).values_list("item", flat=True).first(),
    )


def _rows(user: User, project: Project, activity: Activity, split: str) -> QuerySet[ItemSimilarity]:
    visible = who.visible_to(user, project, Item.objects.filter(queues.visible(), project=project, kind=activity.kind))
    rows = ItemSimilarity.objects.filter(item__in=visible.values("pk"), activity=activity.key)
    return (rows.filter(item__split=split) if split else rows).order_by("value", "item")


def _disputed() -> Exists:
    return Exists(Task.objects.filter(item=OuterRef("item"), activity=OuterRef("activity"), state=TaskState.DISPUTED))
