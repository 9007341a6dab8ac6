"""Which items of an activity may have other answers that count than some time ago: by new responses and events."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Max

from annotation.models import Annotation, Event, Project, Response
from tasks.items.setting_aside import LEFT_OR_CAME_BACK, items_under

OPEN_FOR = timedelta(seconds=30)
"""A transaction is over after that long; until then, rows with smaller keys than some we saw may still appear."""
CHANGES = ("annotation.excluded", "annotation.restored", "assignment.submitted", "assignment.late")
"""Events after which other annotations count than before, if no response says so."""


class Marks(NamedTuple):
    """The keys of the last event and the last response that something surely includes, with all before them."""

    event: int = 0
    response: int = 0


def marks(since: Marks, *, now: datetime, using: str) -> Marks:
    """The marks of what is read from now on."""
    events = Event.objects.using(using).filter(pk__gt=since.event, at__lt=now - OPEN_FOR)
    responses = Response.objects.using(using).filter(pk__gt=since.response, created_at__lt=now - OPEN_FOR)
    return Marks(
        events.aggregate(last=Max("pk"))["last"] or since.event,
        responses.aggregate(last=Max("pk"))["last"] or since.response,
    )


def changed_items(project: Project, activity: str, since: Marks, *, using: str) -> set[int]:
    """The items in which something has happened since these marks."""
    mine = Annotation.objects.using(using).filter(item__project=project, activity=activity)
    # Without a join: SQLite would begin with all items of the project.
    responses = Response.objects.using(using).filter(pk__gt=since.response)
    answered = set(responses.values_list("annotation", flat=True))
    kinds = (*CHANGES, *LEFT_OR_CAME_BACK)
    events = Event.objects.using(using).filter(pk__gt=since.event, project_id=project.pk, kind__in=kinds)
    subjects = set(events.values_list("subject", flat=True))
    uuids = {name.partition(":")[2] for name in subjects if name.startswith("annotation:")}
    held = {name.partition(":")[2] for name in subjects if name.startswith("assignment:")}
    roots = {int(name.partition(":")[2]) for name in subjects if name.startswith("item:")}
    found = [
        *([mine.filter(pk__any_of=answered)] if answered else ()),
        *([mine.filter(uuid__any_of=uuids)] if uuids else ()),
        *([mine.filter(assignments__uuid__any_of=held)] if held else ()),
        *([mine.filter(item__any_of=set(items_under(roots, using=using)))] if roots else ()),
    ]
    return {item for rows in found for item in rows.values_list("item", flat=True)}
