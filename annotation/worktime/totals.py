"""Totals of working time: sums of spans by day, project and annotation, amendments to them, what was done today, and
amounts of pay, for projects that state an hourly rate."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, DateField, DateTimeField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import TruncDate

from annotation.db.compiled import Param, Prepared
from annotation.documents.words import says_something
from annotation.errors import PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Annotation, Project, Purpose, Response, TimeAmendment, TimeSpan, User
from annotation.models.record import ALONE
from annotation.models.time import COUNTED, SpanKind
from annotation.worktime.spans import lock_spans

LONGEST_NOTE = 500
"""Code points in the note of an amendment."""
DAY = 24 * 60
"""Minutes of a day."""
REFUSALS = {
    "note": ("note", _("Say why in a few words.")),
    "minutes": ("minutes", _("Give whole minutes, at least one and at most a day.")),
    "day": ("day", _("You can only amend days between the day you joined the project and today.")),
    "less": ("minutes", _("That is more time than this day has. Take away less.")),
    "more": ("minutes", _("That would be more time than has passed on this day. Add less.")),
}
"""Reason code -> the field and the message."""


@dataclass(frozen=True)
class Spent:
    """Seconds by kind, and seconds amended."""

    active: float = 0
    reading: float = 0
    idle: float = 0
    amended: float = 0
    meeting: float = 0

    @property
    def counts(self) -> float:
        """Seconds that count as work: active, reading, meeting and amended ones; never negative."""
        return max(0.0, self.exactly)

    @property
    def exactly(self) -> float:
        """The same, below zero where more was taken off than there is."""
        return self.active + self.reading + self.meeting + self.amended

    def __add__(self, other: Spent) -> Spent:
        return Spent(*(getattr(self, name) + getattr(other, name) for name in vars(self)))


BY_KIND = {str(kind): Sum("seconds", filter=Q(kind=kind)) for kind in SpanKind}
"""Sums for `annotate`, one for each kind."""


def spent_of_row(row: Mapping[str, Any]) -> Spent:
    """The sums of one row annotated with BY_KIND."""
    return Spent(**{kind: row[kind] or 0.0 for kind in SpanKind.values})


def bounds(day: date) -> tuple[datetime, datetime]:
    """When a day begins and ends (UTC)."""
    begins = datetime.combine(day, time(), UTC)
    return begins, begins + timedelta(days=1)


def spans_of(user: User, *, since: date, until: date) -> QuerySet[TimeSpan]:
    """The person's spans that began in these days, the last one included."""
    return TimeSpan.objects.filter(annotator=user, begun_at__gte=bounds(since)[0], begun_at__lt=bounds(until)[1])


def spent_beside_work(spans: QuerySet[TimeSpan]) -> dict[tuple[int, str], Spent]:
    """Sums of those spans that belong to no piece of work, by the key of the project and the stage."""
    rows = spans.filter(annotation=None).order_by("project", "stage").values("project", "stage").annotate(**BY_KIND)
    return {(row["project"], row["stage"]): spent_of_row(row) for row in rows}


def spent_on_judging(spans: QuerySet[TimeSpan]) -> Spent:
    """The sum of those spans in which answers were judged, each rater alone."""
    return spent_of_row(spans.filter(annotation__purpose=Purpose.JUDGEMENT).aggregate(**BY_KIND))


def by_day(user: User, *, since: date, until: date) -> dict[tuple[date, int], Spent]:
    """Sums by (day, key of the project), amendments included; days without time are left out."""
    spans = spans_of(user, since=since, until=until).annotate(day=TruncDate("begun_at", tzinfo=UTC))
    sums = spans.values("day", "project").annotate(**BY_KIND)
    found = {(row["day"], row["project"]): spent_of_row(row) for row in sums}
    amended = TimeAmendment.objects.filter(annotator=user, day__gte=since, day__lte=until)
    for row in amended.values("day", "project").annotate(minutes=Sum("minutes")):
        key = row["day"], row["project"]
        found[key] = found.get(key, Spent()) + Spent(amended=row["minutes"] * 60)
    return found


def total(rows: Iterable[Spent]) -> Spent:
    """The sum of several."""
    return sum(rows, Spent())


def counted(project: Project, user: User) -> float:
    """Seconds of the person's time in the project that count, amendments included."""
    mine = {"project": project, "annotator": user}
    spans = TimeSpan.objects.filter(**mine, kind__in=COUNTED).aggregate(sum=Sum("seconds"))["sum"] or 0.0
    return max(0.0, spans + 60 * (TimeAmendment.objects.filter(**mine).aggregate(sum=Sum("minutes"))["sum"] or 0))


def days_of(user: User) -> list[date]:
    """The days on which the person has any time or amendment, newest first."""
    spans = TimeSpan.objects.filter(annotator=user).annotate(day=TruncDate("begun_at", tzinfo=UTC))
    amended = TimeAmendment.objects.filter(annotator=user).values_list("day", flat=True)
    return sorted({*spans.values_list("day", flat=True).distinct(), *amended}, reverse=True)


def amend(
    project: Project, *, by: User, day: date, minutes: int, note: str, key: uuid.UUID, now: datetime
) -> TimeAmendment:
    """Add minutes to the person's day in a project, or take them off; the measured spans stay as they are.

    `key`: idempotency key. Raises PayloadInvalid if the day can't have had that time.
    """
    note = note.strip()
    with transaction.atomic():
        lock_spans(by)
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
    """Every reason code that applies, so that all are shown at once."""
    if not says_something(note) or len(note) > LONGEST_NOTE:
        yield "note"
    joined = by.memberships.filter(project=project).order_by("since").values_list("since", flat=True).first()
    if minutes == 0 or abs(minutes) > DAY:
        yield "minutes"
    elif day > now.date() or joined is None or day < joined.date():
        yield "day"
    else:
        there = by_day(by, since=day, until=day)
        mine = there.get((day, project.pk), Spent())
        whole = sum(spent.exactly for spent in there.values()) + minutes * 60
        elapsed = (min(now, bounds(day)[1]) - bounds(day)[0]).total_seconds()
        if mine.exactly + minutes * 60 < 0:
            yield "less"
        elif minutes > 0 and whole > elapsed:
            yield "more"


@dataclass(frozen=True)
class Today:
    """The number of annotations that a person has completed, and their seconds that count as work."""

    finished: int
    seconds: float


def today_of(user: User, *, now: datetime) -> Today:
    """What the person has done since midnight (UTC)."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    found = _today.first(user=user.pk, since=midnight, until=midnight + timedelta(days=1), day=midnight.date())
    alone, together, seconds, minutes = found
    return Today(finished=(alone or 0) + (together or 0), seconds=max(0.0, (seconds or 0.0) + 60 * (minutes or 0)))


@Prepared
def _today() -> QuerySet[User, tuple[Any, ...]]:
    since, until = Param("since", DateTimeField()), Param("until", DateTimeField())
    mine = {"annotator": OuterRef("pk")}
    done = {"completed_at__gte": since, "completed_at__lt": until}
    # Items of courses are no work that one has finished.
    finished = Annotation.objects.filter(author=OuterRef("pk"), **done).exclude(purpose=Purpose.QUIZ)
    # An annotation by several people has no author: its responses have.
    together = Response.objects.exclude(seat=ALONE).filter(
        author=OuterRef("pk"), **{f"annotation__{name}": value for name, value in done.items()}
    )
    spans = TimeSpan.objects.filter(**mine, begun_at__gte=since, begun_at__lt=until, kind__in=COUNTED)
    amended = TimeAmendment.objects.filter(**mine, day=Param("day", DateField()))
    return User.objects.filter(pk=Param("user")).values_list(
        _sum_of(finished, "author", Count("pk")),
        _sum_of(together, "author", Count("annotation", distinct=True)),
        _sum_of(spans, "annotator", Sum("seconds")),
        _sum_of(amended, "annotator", Sum("minutes")),
    )


def _sum_of(rows: QuerySet[Any], whose: str, what: Any) -> Subquery:
    return Subquery(rows.order_by().values(whose).annotate(sum=what).values("sum"))


_RATE = re.compile(r"(\d+(?:\.\d{1,2})?) ([A-Z]{3}) (?:an|per) hour")
"""`12.60 EUR an hour`; any other wording is shown as it is, without a calculation."""

Amount = tuple[Decimal, str]
"""The amount, to the cent, and the currency."""


def amount_of_pay(rate: str, seconds: float) -> Amount | None:
    """The pay for so many seconds; None if the rate can't be parsed."""
    found = _RATE.fullmatch(rate.strip())
    if found is None:
        return None
    exact = Decimal(found[1]) * Decimal(round(seconds)) / 3600
    return exact.quantize(Decimal("0.01"), ROUND_HALF_UP), found[2]


def pay_in_words(amounts: Iterable[Amount | None]) -> str:
    """The sums by currency (`15.12 EUR + 3.00 USD`), or ""."""
    sums: dict[str, Decimal] = {}
    for found in amounts:
        if found is not None:
            sums[found[1]] = sums.get(found[1], Decimal(0)) + found[0]
    return " + ".join(f"{number:.2f} {currency}" for currency, number in sorted(sums.items()))
