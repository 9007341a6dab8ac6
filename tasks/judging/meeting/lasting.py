"""How long a meeting took: of its people, and at the exhibit where the room is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Sum

from annotation.models import JudgingRound, TimeSpan
from annotation.models.time import SpanKind

LONG = timedelta(minutes=5)
"""After so long at one exhibit the room is told so; nothing follows from it."""


@dataclass(frozen=True)
class MeetingTime:
    """Seconds of all in the room of a meeting; `by_rater`: of each rater who was there, with their number, in order;
    `chair`: of who was in the chair without a vote."""

    all: float
    by_rater: tuple[tuple[int, float], ...]
    chair: float

    @property
    def people(self) -> int:
        """How many raters were there."""
        return len(self.by_rater)


def time_in(row: JudgingRound) -> MeetingTime:
    """The time in the meeting of a round that counts, as it was measured up to now."""
    spans = TimeSpan.objects.filter(meeting=row, kind=SpanKind.MEETING).order_by()
    spent = dict(spans.values_list("annotator").annotate(sum=Sum("seconds")))
    raters = row.raters.filter(person__in=spent).order_by("number").values_list("person", "number")
    by_rater = tuple((number, spent.pop(person)) for person, number in raters)
    chair = sum(spent.values())
    return MeetingTime(chair + sum(seconds for _number, seconds in by_rater), by_rater, chair)


def is_long(since: datetime | None, *, now: datetime) -> bool:
    """Whether the room has been at an exhibit for long; None: nobody has begun with it."""
    return since is not None and now - since >= LONG
