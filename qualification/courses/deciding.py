"""What leads decide about somebody's exam: more time in what is issued from then on, voiding a spoiled attempt."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from annotation import events
from annotation.engine.exclusion import checked_reason
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.membership import lock_person
from annotation.models import User
from qualification.courses import sitting
from qualification.models import Attempt, ExtraTime, Qualification

MOST_MINUTES = 24 * 60
LATER_ATTEMPT = _("They have begun another attempt since, so this one can’t count again.")
LATER_TIME = _("They have been given other minutes since.")


def extra_time_of(person: User, qualification: Qualification) -> ExtraTime | None:
    """The latest decision about somebody's time, which counts."""
    return ExtraTime.objects.filter(user=person, qualification=qualification).order_by("-pk").first()


@transaction.atomic
def give_time(
    qualification: Qualification, person: User, *, minutes: int, reason: str, by: User | None, now: datetime
) -> ExtraTime:
    """Give a person so many minutes more in every attempt that is issued from then on, in place of earlier ones.

    ReasonMissing without a reason; what says the same as the latest makes nothing.
    """
    said = checked_reason(reason)
    lock_person(person, qualification.project)
    before = extra_time_of(person, qualification)
    if before is not None and (before.minutes, before.reason, before.by_id) == (minutes, said, by.pk if by else None):
        return before
    made = ExtraTime.objects.create(
        qualification=qualification, user=person, minutes=minutes, reason=said, by=by, at=now
    )
    was = before.minutes if before else 0
    data = {"user": person.pk, "minutes": minutes, "before": was, "reason": said}
    events.record("exam.more_time", qualification, by=by, now=now, **data)
    return made


@transaction.atomic
def take_time_back(extra: ExtraTime, *, reason: str, by: User | None, now: datetime) -> ExtraTime:
    """Undo the giving: the person has the minutes that they had before. WrongMove if others were given since."""
    lock_person(extra.user, extra.qualification.project)
    latest = extra_time_of(extra.user, extra.qualification)
    if latest != extra:
        raise WrongMove(LATER_TIME)
    rows = ExtraTime.objects.filter(user=extra.user, qualification=extra.qualification, pk__lt=extra.pk)
    before = rows.order_by("-pk").first()
    minutes = before.minutes if before else 0
    return give_time(extra.qualification, extra.user, minutes=minutes, reason=reason, by=by, now=now)


@transaction.atomic
def void(attempt: Attempt, *, reason: str, by: User | None, now: datetime) -> Attempt:
    """Have an attempt not count, open or over, since our fault spoiled it; a grant that it gave stays.

    ReasonMissing without a reason; one that is voided stays as it is.
    """
    said = checked_reason(reason)
    row = sitting.lock_attempt(attempt)
    if row.voided_at is not None:
        return row
    row.voided_at, row.voided_why = now, said
    row.save(update_fields=["voided_at", "voided_why"])
    events.record("attempt.voided", row, by=by, now=now, user=row.user_id, n=row.n, reason=said)
    return row


@transaction.atomic
def count_again(attempt: Attempt, *, by: User | None, now: datetime) -> Attempt:
    """Undo voiding it; WrongMove if the person has begun another attempt since."""
    row = sitting.lock_attempt(attempt)
    if row.voided_at is None:
        return row
    later = Attempt.objects.filter(qualification=row.qualification, user=row.user, purpose=row.purpose, n__gt=row.n)
    if later.exists():
        raise WrongMove(LATER_ATTEMPT)
    row.voided_at, row.voided_why = None, ""
    row.save(update_fields=["voided_at", "voided_why"])
    events.record("attempt.counted_again", row, by=by, now=now, user=row.user_id, n=row.n)
    return row
