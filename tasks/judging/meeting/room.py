"""Who is in the room: pages say so as long as they are open; somebody who is missing pauses what they vote on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from annotation import events
from annotation.models import Exhibit, JudgingRound, Rater, User
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
