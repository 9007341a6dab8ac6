"""What experts write references for: the items that are set aside for exams, in each activity that can be examined."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation import registry
from annotation.models import Annotation, Item, Project, Purpose, User
from annotation.releases.selection import known_items

PER_PAGE = 50


@dataclass(frozen=True)
class ReferenceToWrite:
    """An item in an activity: its caption, how many references the person has written, whether one is begun."""

    item: int
    activity: str
    title: str
    prompt: str
    written: int
    begun: bool


def to_write(user: User, project: Project, *, page: str) -> tuple[Page[Item], list[ReferenceToWrite]]:
    """A page of the items, and its rows: each of its items in each activity."""
    protocol = registry.get(project.protocol)
    activities = [each for each in protocol.activities if each.can_be_examined]
    rows = set_aside_for(project).order_by("position", "pk")
    shown = Paginator(rows, PER_PAGE).get_page(page)
    mine = Annotation.with_trials.filter(author=user, purpose=Purpose.TRIAL, item__in=[row.pk for row in shown])
    written, begun = Counter[tuple[int, str]](), set[tuple[int, str]]()
    for item, activity, completed_at in mine.values_list("item", "activity", "completed_at"):
        if completed_at is None:
            begun.add((item, activity))
        else:
            written[item, activity] += 1
    found = [
        ReferenceToWrite(
            item=row.pk,
            activity=activity.key,
            title=gettext(activity.title),
            prompt=protocol.caption(row.kind, row.payload),
            written=written[row.pk, activity.key],
            begun=(row.pk, activity.key) in begun,
        )
        for row in shown.object_list
        for activity in activities
        if activity.kind == row.kind
    ]
    return shown, found


def set_aside_for(project: Project) -> QuerySet[Item]:
    """The items that are set aside and that an exam can ask."""
    kinds = {each.kind for each in registry.get(project.protocol).activities if each.can_be_examined}
    return Item.with_set_aside.filter(known_items(), project=project, set_aside_at__isnull=False, kind__in=kinds)
