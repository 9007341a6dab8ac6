"""Keep the agreement of projects measured: what has changed soon, and everything that follows from it less often.

A quick pass reads only the items whose annotations changed (new responses, completions, exclusions), puts them into the
table, and measures the numbers of an activity as a whole. A whole pass also measures them by split, week and person; it
is due again after BREAK times as long as it took. What is large runs in a process of its own, since beside a busy
thread every page of this one would wait.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet

from annotation import registry
from annotation.agreement.measures import Comparison, Measure
from annotation.models import Agreement, Annotation, Event, Job, Project, Response
from annotation.protocol import Activity

MANAGE = str(settings.BASE_DIR / "manage.py")
BREAK = 20
"""A whole pass is due again after so many times as long as it took: 5 % of one core at most."""
QUICK, SMALL = 0.1, 200
"""What takes at most so many seconds, or reads at most so many annotations, is measured in this process."""
OPEN_FOR = timedelta(seconds=30)
"""A transaction is over after that long; until then, rows with smaller keys than some we saw may still appear."""
FAR = 1000
"""Marks move on if there are so many responses or events of others behind them."""
CHANGES = ("annotation.excluded", "annotation.restored", "assignment.submitted", "assignment.late")
"""Events after which other annotations count than before, if no response says so."""


def measure_due(*, now: datetime) -> int:
    """Measure the projects in which something has happened; returns how many."""
    due = [project for project in Project.objects.order_by("pk") if _is_due_or_moves_on(project, now=now)]
    for project in due:
        if _is_quick(project, now=now):
            keep(project, now=now)
        else:
            command = [sys.executable, MANAGE, "measure_agreement", project.slug]
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)  # noqa: S603 (nothing of a request is in it)
    return len(due)


def _is_due_or_moves_on(project: Project, *, now: datetime) -> bool:
    """Whether it is due; if not, its marks move on, so that what others do is not searched again and again."""
    marks = {row: _marks(row, now=now, using="default") for row in _kept(project)}
    if is_due(project, now=now):
        return True
    for row, found in marks.items():
        if found["responses_up_to"] - row.responses_up_to > FAR or found["up_to"] - row.up_to > FAR:
            Agreement.objects.filter(pk=row.pk).update(**found)
    return False


def measured_activities(project: Project) -> list[tuple[Activity, list[Measure | Comparison]]]:
    """The activities of a project in which something is measured, with what."""
    protocol = registry.get(project.protocol)
    by_activity = {
        each.key: [one for one in protocol.measures if one.activity == each.key] for each in protocol.activities
    }
    return [(each, by_activity[each.key]) for each in protocol.activities if by_activity[each.key]]


def is_due(project: Project, *, now: datetime) -> bool:
    """Whether something has happened that is not in the numbers yet, or a whole pass is due."""
    kept = {row.activity: row for row in _kept(project)}
    for activity, measured in measured_activities(project):
        row = kept.get(activity.key)
        if row is None:
            if Annotation.objects.filter(item__project=project, completed_at__isnull=False).exists():
                return True
        elif (
            row.made_of != made_of(project, measured)
            or _something_happened(project, row)
            or ((row.whole_at is None or row.whole_at < row.measured_at) and _whole_is_due(row, now=now))
        ):
            return True
    return False


def keep(project: Project, *, now: datetime, anew: bool = False, whole: bool | None = None) -> None:
    """Measure a project's agreement and keep the numbers. `anew`: from the record, whatever is kept; `whole`: all of
    them, or not; None: if that is due."""
    kept = {row.activity: row for row in _kept(project)}
    for activity, measured in measured_activities(project):
        row = None if anew else kept.get(activity.key)
        if row is not None and row.made_of != made_of(project, measured):
            row = None
        _keep(project, activity, measured, row, now=now, whole=whole)


def _keep(
    project: Project,
    activity: Activity,
    measured: list[Measure | Comparison],
    row: Agreement | None,
    *,
    now: datetime,
    whole: bool | None,
) -> None:
    from annotation.measuring import numbers, reading
    from annotation.measuring.table import Table, empty

    begun = time.monotonic()
    not_counted = None
    with transaction.atomic(using="snapshot"):
        fields: dict[str, Any] = {"made_of": made_of(project, measured), **_marks(row, now=now, using="snapshot")}
        changed = None if row is None else _changed(project, activity.key, row)
        table = empty(measured) if row is None else Table.unpacked(_table_of(row))
        if changed != set():
            found = list(reading.units(project, activity, table, items=changed, using="snapshot"))
            table = table.replaced(changed or (), found)
        if row is None or whole or (whole is None and _whole_is_due(row, now=now)):
            not_counted = reading.not_counted(project, activity.key, using="snapshot")
    values = dict(row.numbers) if row is not None else {}
    if changed != set():
        values["all"], values["sizes"] = numbers.of_all(table, measured), numbers.sizes(table)
        values["worst"] = {one.key: numbers.worst(table, one) for one in measured}
        fields["table"] = table.packed()
    if not_counted is not None:
        values |= _in_parts(table, measured) | {"not_counted": not_counted}
        fields |= {"whole_at": now, "seconds": time.monotonic() - begun}
    fields |= {"numbers": values, "measured_at": now}
    Agreement.objects.update_or_create(project=project, activity=activity.key, defaults=fields)


def _in_parts(table: Any, measured: list[Measure | Comparison]) -> dict[str, Any]:
    """The numbers by split, week and person, and the accuracy of people."""
    from annotation.measuring import numbers
    from annotation.measuring.table import UNKNOWN

    people = sorted({int(person) for person in table.person} - {UNKNOWN})
    return {
        "splits": numbers.by_split(table, measured),
        "weeks": numbers.by_week(table, measured),
        "people": {str(person): numbers.of_person(table, measured, person) for person in people},
        "quality": {
            one.key: numbers.quality(table, one)
            for one in measured
            if isinstance(one, Measure) and one.scale != "interval"
        },
    }


def of_page(project: Project, activity: str) -> Agreement | None:
    """The numbers that were measured last, without the table."""
    return _kept(project).filter(activity=activity).first()


def table_of(row: Agreement) -> Any:
    """The table behind kept numbers."""
    from annotation.measuring.table import Table

    return Table.unpacked(_table_of(row))


def made_of(project: Project, measured: Iterable[Measure | Comparison]) -> str:
    """What the table is made of besides annotations: the measures, and the imports that are done."""
    imports = Job.objects.filter(project=project, kind__startswith="import", state=Job.State.DONE).count()
    names = [(one.key, getattr(one, "scale", ""), one.by_turn) for one in measured]
    return sha256(repr((names, imports)).encode()).hexdigest()


def _kept(project: Project) -> QuerySet[Agreement]:
    return Agreement.objects.filter(project=project).defer("table")


def _table_of(row: Agreement) -> bytes:
    return bytes(Agreement.objects.filter(pk=row.pk).values_list("table", flat=True).get())


def _whole_is_due(row: Agreement, *, now: datetime) -> bool:
    return row.whole_at is None or now >= row.whole_at + BREAK * timedelta(seconds=row.seconds)


def _is_quick(project: Project, *, now: datetime) -> bool:
    """Whether measuring what has changed, and a whole pass if it is due, takes little time."""
    kept = {row.activity: row for row in _kept(project)}
    for activity, measured in measured_activities(project):
        row = kept.get(activity.key)
        finished = Annotation.objects.filter(item__project=project, activity=activity.key, completed_at__isnull=False)
        if row is None or row.made_of != made_of(project, measured):
            reads: QuerySet[Any] = finished
        elif row.seconds > QUICK and _whole_is_due(row, now=now):
            return False
        else:
            reads = _responses_since(project, row)
        if reads[: SMALL + 1].count() > SMALL:
            return False
    return True


def _something_happened(project: Project, row: Agreement) -> bool:
    return _responses_since(project, row).exists() or _events_since(project, row).exists()


def _responses_since(project: Project, row: Agreement) -> QuerySet[Response]:
    return Response.objects.filter(
        pk__gt=row.responses_up_to, annotation__item__project=project, annotation__activity=row.activity
    )


def _events_since(project: Project, row: Agreement) -> QuerySet[Event]:
    return Event.objects.filter(pk__gt=row.up_to, project_id=project.pk, kind__in=CHANGES)


def _marks(row: Agreement | None, *, now: datetime, using: str) -> dict[str, int]:
    """The last event and the last response that are surely in what is read next, with all before them."""
    up_to, answered, before = row.up_to if row else 0, row.responses_up_to if row else 0, now - OPEN_FOR
    events = Event.objects.using(using).filter(pk__gt=up_to, at__lt=before)
    responses = Response.objects.using(using).filter(pk__gt=answered, created_at__lt=before)
    return {
        "up_to": events.aggregate(last=Max("pk"))["last"] or up_to,
        "responses_up_to": responses.aggregate(last=Max("pk"))["last"] or answered,
    }


def _changed(project: Project, activity: str, row: Agreement) -> set[int]:
    """The items in which other annotations may count than the table has, or other answers."""
    mine = Annotation.objects.using("snapshot").filter(item__project=project, activity=activity)
    answered = set(_responses_since(project, row).using("snapshot").values_list("annotation", flat=True))
    items = set(mine.filter(pk__any_of=answered).values_list("item", flat=True))
    subjects = set(_events_since(project, row).using("snapshot").values_list("subject", flat=True))
    uuids = {name.partition(":")[2] for name in subjects if name.startswith("annotation:")}
    held = {name.partition(":")[2] for name in subjects if name.startswith("assignment:")}
    items |= set(mine.filter(uuid__any_of=uuids).values_list("item", flat=True)) if uuids else set()
    items |= set(mine.filter(assignments__uuid__any_of=held).values_list("item", flat=True)) if held else set()
    return items
