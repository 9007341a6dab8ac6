"""The tables behind kept numbers: stored in rows of their own, and the last few in the memory of the process.

A process that measured the last pass itself need not read the table again, which is some megabytes, nor the items that
changed since it was stored. Which items have changed is told by new responses and events.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.db.models import Max

from annotation.models import Agreement, AgreementTable, Annotation, Event, Project, Response
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


if TYPE_CHECKING:
    from annotation.agreement.table import RatingsTable

MOST, LARGE = 4, 50_000
"""So many tables stay in memory, each of at most so many annotations: 4 MB."""
_kept: OrderedDict[UUID, Behind] = OrderedDict()


@dataclass
class Behind:
    """A table, what it surely includes, and the items in which the stored one differs from it."""

    table: RatingsTable
    includes: Marks
    unstored: set[int] = field(default_factory=set)


def of_last_pass(row: Agreement) -> Behind:
    """The table of the pass that measured these numbers, if this process did; else the stored one."""
    kept = _kept.pop(row.measured_by, None) if row.measured_by else None
    if kept is None:
        return Behind(stored(row), Marks(row.up_to, row.responses_up_to))
    return kept


def stored(row: Agreement) -> RatingsTable:
    """The stored table behind kept numbers."""
    from annotation.agreement.table import RatingsTable

    data = AgreementTable.objects.filter(agreement=row).values_list("data", flat=True).get()
    return RatingsTable.unpacked(bytes(data))


def remember(measured_by: UUID, behind: Behind) -> None:
    """Keep the table of a pass, unless it is large; the one that was used longest ago goes."""
    if len(behind.table.annotation) > LARGE:
        return
    _kept[measured_by] = Behind(behind.table, behind.includes, set(behind.unstored))
    while len(_kept) > MOST:
        _kept.popitem(last=False)
