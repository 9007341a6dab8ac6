"""Keep the agreement of projects measured: what has changed soon, and everything that follows from it less often.

A quick pass reads only the items whose annotations changed (new responses, completions, exclusions), puts them into the
table, and measures the numbers of an activity as a whole. A whole pass measures everything, also by split, week and
person; it is due again after BREAK times as long as it took. What is large runs in a process of its own, since beside a
busy thread every page of this one would wait.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet

from annotation import registry
from annotation.models import Agreement, AgreementTable, Annotation, Job, Project
from annotation.protocol import Activity
from annotation.statistics.estimates import METHOD
from annotation.values.measures import Comparison, Measure
from tasks.engine.transactions import service
from tasks.measuring import figures, tables
from tasks.measuring.tables import Marks, changed_items, marks

BREAK = 20
"""A whole pass is due again after so many times as long as it took: 5 % of one core at most."""
QUICK, SMALL = 0.1, 200
"""What takes at most so many seconds, or reads at most so many annotations, is measured in this process."""
REREAD = 20
"""The table is written when more items than this have changed since; until then another process reads them again."""
FAR = 1000
"""Marks move on if there are so many responses or events of others behind them."""


def measure_due(*, now: datetime) -> int:
    """Measure the projects in which something has happened; returns how many."""

    def one(project: Project) -> None:
        if _is_quick(project, now=now):
            keep(project, now=now)
        else:
            figures.in_a_process_of_its_own("measure_agreement", project.slug)

    due = [project for project in Project.objects.order_by("pk") if _is_due_or_moves_on(project, now=now)]
    return figures.measure_each(due, one, "measure_agreement")


def _is_due_or_moves_on(project: Project, *, now: datetime) -> bool:
    """Whether it is due; if not, its marks move on, so that what others do is not searched again and again."""
    sure = {row: marks(_seen(row), now=now, using="default") for row in _kept(project)}
    if is_due(project, now=now):
        return True
    for row, (event, response) in sure.items():
        if event - row.seen > FAR or response - row.responses_seen > FAR:
            moved = {"seen": event, "responses_seen": response}
            if not changed_items(project, row.activity, _read(row), using="default"):
                moved |= {"up_to": event, "responses_up_to": response}
            Agreement.objects.filter(pk=row.pk).update(**moved)
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
    if not kept:
        return Annotation.objects.filter(item__project=project, completed_at__isnull=False).exists()
    return any(
        activity.key not in kept or _is_behind(project, measured, kept[activity.key], now=now)
        for activity, measured in measured_activities(project)
    )


def _is_behind(project: Project, measured: list[Measure | Comparison], row: Agreement, *, now: datetime) -> bool:
    if row.made_of != made_of(project, measured) or changed_items(project, row.activity, _seen(row), using="default"):
        return True
    return (row.whole_at is None or row.whole_at < row.measured_at) and _whole_is_due(row, now=now)


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
    from annotation.agreement import numbers, rated_units
    from annotation.agreement.table import empty

    begun, measured_by = time.monotonic(), uuid4()
    whole = row is None or (_whole_is_due(row, now=now) if whole is None else whole)
    with transaction.atomic(using="snapshot"):
        before = tables.Behind(empty(measured), Marks()) if row is None else tables.of_last_pass(row)
        sure = marks(before.includes, now=now, using="snapshot")
        changed = set() if row is None else changed_items(project, activity.key, before.includes, using="snapshot")
        table, unstored = before.table, before.unstored | changed
        if row is None or changed:
            read = rated_units.read(project, activity, table, items=None if row is None else changed, using="snapshot")
            table = table.replaced(changed, list(read))
        not_counted = rated_units.not_counted(project, activity.key, using="snapshot") if whole else {}
        fields: dict[str, Any] = {"made_of": made_of(project, measured)}
    packed = None
    values = dict(row.numbers) if row is not None else {}
    values |= numbers.of_whole(table, measured) if whole else numbers.of_quick_pass(table, measured, before=values)
    if row is None or whole or len(unstored) > REREAD:
        packed, unstored = table.packed(), set()
        fields |= {"up_to": sure.event, "responses_up_to": sure.response}
    if whole:
        values["not_counted"] = not_counted
        fields |= {"whole_at": now, "seconds": time.monotonic() - begun}
    fields |= {"numbers": values, "measured_at": now, "seen": sure.event, "responses_seen": sure.response}
    _store(project, activity.key, fields | {"measured_by": measured_by}, packed)
    tables.remember(measured_by, tables.Behind(table, sure, unstored))


@service
def _store(project: Project, activity: str, fields: dict[str, Any], packed: bytes | None) -> None:
    rows = Agreement.objects.filter(project=project, activity=activity)
    if not rows.update(**fields):
        Agreement.objects.create(project=project, activity=activity, **fields)
    if packed is not None:
        AgreementTable.objects.update_or_create(agreement=rows.get(), defaults={"data": packed})


def of_page(project: Project, activity: str) -> Agreement | None:
    """The numbers that were measured last."""
    return _kept(project).filter(activity=activity).first()


def made_of(project: Project, measured: Iterable[Measure | Comparison]) -> str:
    """What the table and the numbers are made of besides annotations: the measures, the imports that are done, and how
    intervals are made."""
    imports = Job.objects.filter(project=project, kind__startswith="import", state=Job.State.DONE).count()
    names = [(one.key, getattr(one, "scale", ""), one.by_turn) for one in measured]
    return sha256(repr((names, imports, METHOD)).encode()).hexdigest()


def _kept(project: Project) -> QuerySet[Agreement]:
    return Agreement.objects.filter(project=project)


def _whole_is_due(row: Agreement, *, now: datetime) -> bool:
    return row.whole_at is None or now >= row.whole_at + BREAK * timedelta(seconds=row.seconds)


def _is_quick(project: Project, *, now: datetime) -> bool:
    """Whether measuring what has changed, and a whole pass if it is due, takes little time."""
    kept = {row.activity: row for row in _kept(project)}
    return all(
        _is_small(project, activity.key, measured, kept.get(activity.key), now=now)
        for activity, measured in measured_activities(project)
    )


def _is_small(
    project: Project, activity: str, measured: list[Measure | Comparison], row: Agreement | None, *, now: datetime
) -> bool:
    if row is None or row.made_of != made_of(project, measured):
        rows = Annotation.objects.filter(item__project=project, activity=activity, completed_at__isnull=False)
        return rows[: SMALL + 1].count() <= SMALL
    if row.numbers["sizes"]["annotations"] > tables.LARGE or (row.seconds > QUICK and _whole_is_due(row, now=now)):
        return False
    return len(changed_items(project, activity, _read(row), using="default")) <= SMALL


def _read(row: Agreement | None) -> Marks:
    """What the table surely includes."""
    return Marks() if row is None else Marks(row.up_to, row.responses_up_to)


def _seen(row: Agreement) -> Marks:
    """What the numbers surely include."""
    return Marks(row.seen, row.responses_seen)
