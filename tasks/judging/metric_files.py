"""Metrics of the exhibits of a round that a lead brings: any other metric, or a model as judge."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from annotation import events
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import JudgingRound, User
from tasks.engine.transactions import service
from tasks.models import MetricColumn

MOST = 5
"""Metrics of a round, at most: each is tested against all others, in each type of item."""


@service
def keep(row: JudgingRound, columns: Mapping[str, Mapping[int, float]], *, by: User, now: datetime) -> None:
    """Keep metrics by their names, as figures by place; each takes the place of one with its name.

    WrongMove for more than a round can have.
    """
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    MetricColumn.objects.filter(round=row, name__in=list(columns)).delete()
    if MetricColumn.objects.filter(round=row).count() + len(columns) > MOST:
        raise WrongMove(_("A round has 5 uploaded metrics at most. Remove some."))
    for name, figures in columns.items():
        values = {str(place): figure for place, figure in figures.items()}
        MetricColumn.objects.create(round=row, name=name, values=values, by=by, at=now)
    events.record("judging.metrics_added", row, by=by, now=now, names=list(columns))


@service
def remove(row: JudgingRound, name: str, *, by: User, now: datetime) -> None:
    """Remove an uploaded metric; one that is not there is no error."""
    deleted, _rows = MetricColumn.objects.filter(round=row, name=name).delete()
    if deleted:
        events.record("judging.metric_removed", row, by=by, now=now, name=name)
