"""What people have done in a project in a period: pieces of work, and seconds by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from annotation.models import Annotation, Project, Response, SpanKind, TimeAmendment, TimeSpan
from annotation.models.time import COUNTED
from annotation.worktime.totals import bounds
from tasks.models import NO_DATA, Assignment, Ticket, WorkCount, WorkTime
from tasks.models.states import AssignmentState


@dataclass
class LedgerDay:
    """What one person did on a day or in a period; times in seconds, `amended` may be negative.

    `excluded`: how many of the `finished` pieces of work are left out of releases now; `by_script`: in how many of
    them the person sent an answer by script.
    """

    finished: int = 0
    counted: float = 0.0
    amended: float = 0.0
    waited: float = 0.0
    idle: float = 0.0
    excluded: int = 0
    by_script: int = 0

    @property
    def paid(self) -> float:
        """What counts as work."""
        return max(0.0, self.counted + self.amended)

    @property
    def present(self) -> float:
        """What counts, with waiting for partners and idle time."""
        return self.paid + self.waited + self.idle

    def __add__(self, other: LedgerDay) -> LedgerDay:
        return LedgerDay(*(getattr(self, name) + getattr(other, name) for name in vars(self)))


@dataclass(frozen=True)
class Period:
    """The days from `since` (None: from the beginning) to `until`, both included, in the time zone that is active."""

    since: date | None
    until: date

    @classmethod
    def between(cls, begins: datetime | None, ends: datetime) -> Period:
        """The days of which some part lies between these times, the second not included."""
        since = None if begins is None else timezone.localdate(begins)
        return cls(since, timezone.localdate(ends - timedelta(microseconds=1)))

    @property
    def begins(self) -> datetime | None:
        """The first moment, or None."""
        return None if self.since is None else _midnight(self.since)

    @property
    def ends(self) -> datetime:
        """The first moment after it."""
        return _midnight(self.until + timedelta(days=1))

    @property
    def so_far(self) -> Period:
        """Everything up to its end."""
        return Period(None, self.until)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), timezone.get_current_timezone())


def earned(project: Project, period: Period) -> dict[int, LedgerDay]:
    """By the key of the person, what they did in the period; those who did nothing are left out.

    Whole days of UTC are read from the daily counts, which a job makes some seconds later, and the hours before and
    after them from the record. Amendments belong to the day that they name.
    """
    found: defaultdict[int, LedgerDay] = defaultdict(LedgerDay)
    days, hours = _divided(period)
    times = WorkTime.objects.filter(project=project, **days).order_by().values_list("person")
    for person, *seconds in times.annotate(a=Sum("counted"), b=Sum("waited"), c=Sum("idle")):
        found[person].counted, found[person].waited, found[person].idle = seconds
    counts = WorkCount.objects.filter(project=project, outcome__in=WorkCount.PAID, **days).order_by()
    scripts = Sum("n", filter=Q(reason=WorkCount.BY_SCRIPT), default=0)
    for person, n, by_script in counts.values_list("person").annotate(all=Sum("n"), scripts=scripts):
        if person is not None:
            found[person].finished, found[person].by_script = n, by_script
    for begins, ends in hours:
        for person, part in _from_the_record(project, begins, ends):
            found[person] += part
    for person, n in _excluded(project, period):
        found[person].excluded = n
    for person, minutes in _amended(project, period):
        found[person].amended = 60 * minutes
    return dict(found)


def _divided(period: Period) -> tuple[dict[str, date], list[tuple[datetime, datetime]]]:
    """The whole days of UTC of the period, as a filter by `day`, and what of it lies before and after them."""
    begins, ends = period.begins, period.ends.astimezone(UTC)
    after = ends.date()
    late = [(bounds(after)[0], ends)] if bounds(after)[0] < ends else []
    if begins is None:
        return {"day__lt": after}, late
    begins = begins.astimezone(UTC)
    first = begins.date() if bounds(begins.date())[0] == begins else begins.date() + timedelta(days=1)
    early = [(begins, bounds(first)[0])] if begins < bounds(first)[0] else []
    return {"day__gte": first, "day__lt": after}, early + late


def _from_the_record(project: Project, begins: datetime, ends: datetime) -> Iterator[tuple[int, LedgerDay]]:
    """What was done in less than a day: of those who have any time on the days of UTC around it."""
    days = {begins.date(), (ends - timedelta(microseconds=1)).date()}
    people = set(WorkTime.objects.filter(project=project, day__in=days).values_list("person", flat=True))
    spans = TimeSpan.objects.filter(
        annotator__any_of=people, project=project, begun_at__gte=begins, begun_at__lt=ends
    ).order_by()
    sums = spans.values_list("annotator").annotate(
        counted=Sum("seconds", filter=Q(kind__in=COUNTED)), idle=Sum("seconds", filter=Q(kind=SpanKind.IDLE))
    )
    for person, counted, idle in sums:
        yield person, LedgerDay(counted=counted or 0.0, idle=idle or 0.0)
    tickets = Ticket.objects.filter(annotator__any_of=people, project=project, ended_at__gte=begins, ended_at__lt=ends)
    for person, entered, ended in tickets.values_list("annotator", "entered_at", "ended_at"):
        if ended is not None:
            yield person, LedgerDay(waited=max(0.0, (ended - entered).total_seconds()))
    finished = _finished(project, closed_at__gte=begins, closed_at__lt=ends)
    for person, n in _by_person(finished):
        yield person, LedgerDay(finished=n)
    for person, n in _by_person(scripted(finished)):
        yield person, LedgerDay(by_script=n)


def _finished(project: Project, **which: Any) -> QuerySet[Assignment]:
    rows = Assignment.objects.filter(task__queue__project=project, state=AssignmentState.SUBMITTED, **which).order_by()
    return rows.exclude(task__queue__activity__in=NO_DATA)


def _by_person(rows: QuerySet[Assignment]) -> Iterator[tuple[int, int]]:
    yield from rows.values_list("annotator").annotate(n=Count("pk"))


def _excluded(project: Project, period: Period) -> Iterator[tuple[int, int]]:
    # From what is excluded, which is little; from all that was handed in it took half a second in a large project.
    excluded = list(Annotation.objects.filter(excluded_at__isnull=False).values_list("pk", flat=True))
    if not excluded:
        return iter(())
    which: dict[str, Any] = {"annotation__any_of": excluded, "closed_at__lt": period.ends}
    if period.begins is not None:
        which["closed_at__gte"] = period.begins
    return _by_person(_finished(project, **which))


def _amended(project: Project, period: Period) -> Iterator[tuple[int, int]]:
    rows = TimeAmendment.objects.filter(project=project, day__lte=period.until).order_by()
    if period.since is not None:
        rows = rows.filter(day__gte=period.since)
    yield from rows.values_list("annotator").annotate(minutes=Sum("minutes"))


def scripted(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Those of the rows, which are of a day or less: in all of a large project it takes half a second to find them."""
    mine = Response.objects.filter(by_script=True, annotation=OuterRef("annotation"), author=OuterRef("annotator"))
    return rows.filter(Exists(mine))
