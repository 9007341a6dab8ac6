"""The clock of shared work, which stands still in the pauses of its project."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from tasks.models import Pause


@dataclass(frozen=True)
class Clock:
    """Measures time in shared work. `pauses`: their beginnings and ends, in order, without overlaps."""

    pauses: tuple[tuple[datetime, datetime], ...] = ()

    def passed(self, since: datetime, now: datetime) -> timedelta:
        """The time from `since` to `now` that was in no pause."""
        paused = (min(end, now) - max(begin, since) for begin, end in self.pauses)
        return now - since - sum((each for each in paused if each > timedelta()), timedelta())


def clock(project: int, *, since: datetime) -> Clock:
    """The clock of a project (its key), for times that begin at `since` or later."""
    return clocks([project], since=since)[project]


def clocks(projects: Iterable[int], *, since: datetime) -> dict[int, Clock]:
    """The clocks of several projects (keys), in one query."""
    wanted = set(projects)
    rows = Pause.objects.filter(Q(project=None) | Q(project__in=wanted), ends_at__gt=since).order_by("began_at", "pk")
    found = list(rows.values_list("project", "began_at", "ends_at"))
    return {key: Clock(_merged((begin, end) for of, begin, end in found if of in (None, key))) for key in wanted}


def _merged(spans: Iterable[tuple[datetime, datetime]]) -> tuple[tuple[datetime, datetime], ...]:
    merged: list[tuple[datetime, datetime]] = []
    for begin, end in spans:
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, end))
    return tuple(merged)
