"""The marks of a round, as raters gave them last."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.judging.results import GivenMark
from annotation.models import JudgingRound, Rater, Response


def of_round(row: JudgingRound) -> Sequence[GivenMark]:
    """Everybody's last mark of each exhibit, of those who have locked: the marks of others stay theirs until then."""
    numbers = dict(Rater.objects.filter(round=row, locked_at__isnull=False).values_list("person", "number"))
    rows = Response.objects.filter(annotation__exhibit__round=row, author__in=list(numbers)).order_by("pk")
    last = {
        (exhibit, author): GivenMark(item, exhibit, numbers[author], payload["mark"])
        for item, exhibit, author, payload in rows.values_list(
            "annotation__item", "annotation__exhibit", "author", "payload"
        )
    }
    return list(last.values())
