"""Who is in the room: pages say so as long as they are open; somebody who is missing pauses what they vote on.

And how long a meeting took: of its people, and at the exhibit where the room is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Sum

from annotation import events
from annotation.models import Exhibit, JudgingRound, Rater, TimeSpan, User
from annotation.models.time import SpanKind
from tasks.engine import pokes
from tasks.engine.transactions import service
from tasks.judging.meeting.voters import voters_on
from tasks.models import MeetingSeat

AWAY = timedelta(seconds=45)
"""After so long without a word of their page somebody is away; an open page speaks every ten seconds."""
NOTED = timedelta(seconds=5)
"""A poll is noted if the last one was so long ago."""


@service
def enter(row: JudgingRound, *, by: User, now: datetime) -> None:
    """Come into the room, or come back."""
    seat, new = MeetingSeat.objects.get_or_create(round=row, person=by, defaults={"seen_at": now})
    was_here = not new and is_here(seat, now=now)
    if new or seat.left_at is not None or now - seat.seen_at >= NOTED:
        MeetingSeat.objects.filter(pk=seat.pk).update(seen_at=now, left_at=None)
    if not was_here:
        events.record("judging.entered", row, by=by, now=now)
        pokes.room(row.pk, by=by)


def stay(row: JudgingRound, *, by: User, now: datetime) -> bool:
    """Note that the person's page is still open; False if they have left the room in another one."""
    seat = MeetingSeat.objects.filter(round=row, person=by).first()
    if seat is not None and seat.left_at is not None:
        return False
    if seat is None or now - seat.seen_at >= NOTED:
        enter(row, by=by, now=now)
    return True


@service
def leave(row: JudgingRound, *, by: User, now: datetime) -> None:
    """Leave the room; twice is no error."""
    if MeetingSeat.objects.filter(round=row, person=by, left_at=None).update(left_at=now):
        events.record("judging.left", row, by=by, now=now)
        pokes.room(row.pk, by=by)


def is_here(seat: MeetingSeat, *, now: datetime) -> bool:
    """Whether the person of a seat is in the room."""
    return seat.left_at is None and now - seat.seen_at < AWAY


def here(row: JudgingRound, *, now: datetime) -> frozenset[int]:
    """The keys of the people who are in the room."""
    seats = MeetingSeat.objects.filter(round=row)
    return frozenset(seat.person_id for seat in seats if is_here(seat, now=now))


def missing(exhibit: Exhibit, *, now: datetime) -> Sequence[Rater]:
    """The voters on an exhibit who are not in the room: while there are any, it is paused."""
    present = here(exhibit.round, now=now)
    return [rater for rater in voters_on(exhibit) if rater.person_id not in present]


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
