"""What is said in a meeting: arguments in words, and what a rater would mark now."""

from __future__ import annotations

import uuid as uuids
from datetime import datetime

from annotation import events
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.judging import rounds
from annotation.models import Argument, Exhibit, MeetingMark, User
from tasks.engine import pokes
from tasks.engine.transactions import service
from tasks.judging.meeting.agenda import talked_about
from tasks.judging.meeting.voters import voter, voters_of


@service
def argue(exhibit: Exhibit, *, text: str, key: uuids.UUID, by: User, now: datetime) -> Argument:
    """Say something about an exhibit, as a voter of the round or its chair; the same form says it once.

    WrongMove for no words or too many; NotFound for others.
    """
    said = Argument.objects.filter(key=key, exhibit=exhibit, author=by).first()
    if said is not None:
        return said
    row, text = talked_about(exhibit), text.strip()
    if row.chair_id != by.pk and not voters_of(row).filter(person=by).exists():
        raise NotFound
    if not text:
        raise WrongMove(_("Write an argument first."))
    if len(text) > Argument.LONGEST:
        raise WrongMove(_("The argument is too long. Shorten it."))
    made, new = Argument.objects.get_or_create(
        key=key, defaults={"exhibit": exhibit, "author": by, "text": text, "at": now}
    )
    if (made.exhibit_id, made.author_id) != (exhibit.pk, by.pk):
        raise NotFound
    if new:
        events.record("judging.argued", row, by=by, now=now, place=exhibit.place)
        pokes.room(row.pk, by=by)
    return made


@service
def mark_anew(exhibit: Exhibit, *, mark: str, by: User, now: datetime) -> None:
    """Say what one would mark now, as a voter; the first mark stays. The same as before is no error."""
    row, rater = talked_about(exhibit), voter(exhibit, by)
    if mark not in {each.key for each in rounds.rubric_of(row).marks}:
        raise NotFound
    last = MeetingMark.objects.filter(exhibit=exhibit, rater=rater).order_by("pk").last()
    if last is None or last.mark != mark:
        MeetingMark.objects.create(exhibit=exhibit, rater=rater, mark=mark, at=now)
        events.record("judging.marked_anew", row, by=by, now=now, place=exhibit.place, mark=mark, rater=rater.number)
        pokes.room(row.pk, by=by)
