"""What time came together: sums of spans by day, project and piece of work; and amendments, beside them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from annotation.errors import PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Project, TimeAmendment, TimeSpan, User
from annotation.models.time import SpanKind
from annotation.worktime.spans import lock

LONGEST_NOTE = 500
"""Code points of the note of an amendment."""
DAY = 24 * 60
"""Minutes of a day: nobody works longer."""
REFUSALS = {
    "note": ("note", _("Say why in a few words.")),
    "minutes": ("minutes", _("Give whole minutes, at least one and at most a day.")),
    "day": ("day", _("Only days from when you joined the project until today can be amended.")),
    "less": ("minutes", _("There is not that much time on this day to take away.")),
    "more": ("minutes", _("With this the day would have more time than there was.")),
}
"""Why time is not amended: the field, and what the person is told."""


@dataclass(frozen=True)
class Spent:
    """Seconds by kind, and what was amended. `counts` is what counts as work: never less than nothing."""

    active: float = 0
    reading: float = 0
    idle: float = 0
    amended: float = 0

    @property
    def counts(self) -> float:
        """Active, reading and what the person put right."""
        return max(0.0, self.active + self.reading + self.amended)

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.active + other.active,
            self.reading + other.reading,
            self.idle + other.idle,
            self.amended + other.amended,
        )


BY_KIND = {str(kind): Sum("seconds", filter=Q(kind=kind)) for kind in SpanKind}
"""Sums for `annotate`, one for each kind."""


def of_row(row: Mapping[str, Any]) -> Spent:
    """The sums of one row."""
    return Spent(**{kind: row[kind] or 0.0 for kind in SpanKind.values})


def bounds(day: date) -> tuple[datetime, datetime]:
    """When a day begins and ends (UTC)."""
    begins = datetime.combine(day, time(), UTC)
    return begins, begins + timedelta(days=1)


def spans_of(user: User, *, since: date, until: date) -> QuerySet[TimeSpan]:
    """The person's spans that began in these days, the last one included."""
    return TimeSpan.objects.filter(annotator=user, begun_at__gte=bounds(since)[0], begun_at__lt=bounds(until)[1])


def seeking(spans: QuerySet[TimeSpan]) -> dict[int, Spent]:
    """Sums of those spans in which work was looked for, by the key of the project."""
    rows = spans.filter(annotation=None).order_by().values("project").annotate(**BY_KIND)
    return {row["project"]: of_row(row) for row in rows}


def by_day(user: User, *, since: date, until: date) -> dict[tuple[date, int], Spent]:
    """Sums of each day and project (its key) on which there is anything, amendments included."""
    spans = spans_of(user, since=since, until=until).annotate(day=TruncDate("begun_at", tzinfo=UTC))
    found = {(row["day"], row["project"]): of_row(row) for row in spans.values("day", "project").annotate(**BY_KIND)}
    amended = TimeAmendment.objects.filter(annotator=user, day__gte=since, day__lte=until)
    for row in amended.values("day", "project").annotate(minutes=Sum("minutes")):
        key = row["day"], row["project"]
        found[key] = found.get(key, Spent()) + Spent(amended=row["minutes"] * 60)
    return found


def together(rows: Iterable[Spent]) -> Spent:
    """The sum of sums."""
    return sum(rows, Spent())


def days_of(user: User) -> list[date]:
    """The days on which the person has any time or amendment, the newest first."""
    spans = TimeSpan.objects.filter(annotator=user).annotate(day=TruncDate("begun_at", tzinfo=UTC))
    amended = TimeAmendment.objects.filter(annotator=user).values_list("day", flat=True)
    return sorted({*spans.values_list("day", flat=True).distinct(), *amended}, reverse=True)


def amend(
    project: Project, *, by: User, day: date, minutes: int, note: str, key: uuid.UUID, now: datetime
) -> TimeAmendment:
    """Add minutes to the person's day in a project, or take them; the measured spans stay as they are.

    The same `key` writes once. Raises PayloadInvalid where the day could not have had that time.
    """
    note = note.strip()
    with transaction.atomic():
        lock(by)
        earlier = TimeAmendment.objects.filter(annotator=by, submission_key=key).first()
        if earlier is not None:
            return earlier
        refused = list(_why_not_amend(project, by=by, day=day, minutes=minutes, note=note, now=now))
        if refused:
            raise PayloadInvalid(tuple(Problem(REFUSALS[why][0], why, REFUSALS[why][1]) for why in refused))
        return TimeAmendment.objects.create(
            annotator=by, project=project, day=day, minutes=minutes, note=note, submission_key=key, at=now
        )


def _why_not_amend(project: Project, *, by: User, day: date, minutes: int, note: str, now: datetime) -> Iterator[str]:
    """Every reason, so that they are told at once."""
    if not note or len(note) > LONGEST_NOTE:
        yield "note"
    joined = by.memberships.filter(project=project).order_by("since").values_list("since", flat=True).first()
    if minutes == 0 or abs(minutes) > DAY:
        yield "minutes"
    elif day > now.date() or joined is None or day < joined.date():
        yield "day"
    else:
        there = by_day(by, since=day, until=day)
        mine = there.get((day, project.pk), Spent())
        whole = sum(_exact(spent) for spent in there.values()) + minutes * 60
        elapsed = (min(now, bounds(day)[1]) - bounds(day)[0]).total_seconds()
        if _exact(mine) + minutes * 60 < 0:
            yield "less"
        elif minutes > 0 and whole > elapsed:
            yield "more"


def _exact(spent: Spent) -> float:
    return spent.active + spent.reading + spent.amended
