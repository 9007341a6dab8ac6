"""A lead removes a voter who does not come back, so that the others can go on."""

from __future__ import annotations

from datetime import datetime

from annotation import events
from annotation.documents.words import says_something
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import Exhibit, JudgingRound, Rater, Removal, User
from tasks.engine import pokes
from tasks.engine.transactions import service
from tasks.judging.meeting import agreeing
from tasks.judging.meeting.voters import FEWEST, at_meeting, leads, voters_of


@service
def remove(rater: Rater, *, reason: str, by: User, now: datetime) -> None:
    """Remove a voter for all that has no consensus yet; what the others have all confirmed is settled with that.

    WrongMove without a reason, and if fewer than two would remain. Removed already is no error. If they are in the
    chair, it is empty then.
    """
    row = at_meeting(rater.round)
    if Removal.objects.filter(rater=rater).exists():
        return
    if not says_something(reason):
        raise WrongMove(_("Say why, in a few words."))
    if voters_of(row).exclude(pk=rater.pk).count() < FEWEST:
        raise WrongMove(_("Two voters must remain. End the meeting instead."))
    Removal.objects.create(rater=rater, reason=reason, by=by, at=now)
    if row.chair_id == rater.person_id and not leads(row, rater.person):
        JudgingRound.objects.filter(pk=row.pk).update(chair=None)
    events.record("judging.voter_removed", row, by=by, now=now, rater=rater.number, reason=reason)
    for exhibit in Exhibit.objects.filter(round=row, consensus=None, proposals__isnull=False).distinct():
        exhibit.round = row
        agreeing.settle_if_all_confirm(exhibit, by=by, now=now)
    pokes.room(row.pk, by=by)
