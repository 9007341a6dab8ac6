"""What a person has done today."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, DateField, DateTimeField, OuterRef, QuerySet, Subquery, Sum

from annotation.db.compiled import Param, Prepared
from annotation.models import Annotation, Purpose, Response, TimeAmendment, TimeSpan, User
from annotation.models.record import ALONE
from annotation.models.time import COUNTED


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
