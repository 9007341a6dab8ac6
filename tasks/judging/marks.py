"""The marks of a round, as raters gave them last."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from annotation.judging.results import GivenMark
from annotation.models import Exhibit, JudgingRound, Rater, Response


def of_round(row: JudgingRound) -> Sequence[GivenMark]:
    """Everybody's last mark of each exhibit, of those who have locked: the marks of others stay theirs until then."""
    return _given(row, Response.objects.filter(annotation__exhibit__round=row))


def of_exhibit(exhibit: Exhibit) -> Sequence[GivenMark]:
    """The marks of one exhibit, as `of_round`."""
    return _given(exhibit.round, Response.objects.filter(annotation__exhibit=exhibit))


def _given(row: JudgingRound, responses: QuerySet[Response]) -> Sequence[GivenMark]:
    numbers = dict(Rater.objects.filter(round=row, locked_at__isnull=False).values_list("person", "number"))
    last = {
        (exhibit, author): GivenMark(item, exhibit, numbers[author], payload["mark"])
        for item, exhibit, author, payload in responses.filter(author__in=list(numbers))
        .order_by("pk")
        .values_list("annotation__item", "annotation__exhibit", "author", "payload")
    }
    return list(last.values())
