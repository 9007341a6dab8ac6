"""Proposals and confirmations: a mark is settled once every voter has confirmed that very proposal; nobody is outvoted.

Before that its voters argue and say what they would mark now; a voter who does not come back is removed by a lead.

All of it happens under the lock of the round, and the database itself refuses a consensus that a voter has not
confirmed.
"""

from __future__ import annotations

import uuid as uuids
from datetime import datetime

from annotation import events
from annotation.documents.words import says_something
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.judging import rounds
from annotation.models import (
    Argument,
    Confirmation,
    Consensus,
    Exhibit,
    JudgingRound,
    MeetingMark,
    Proposal,
    Rater,
    Removal,
    User,
)
from tasks.engine import pokes
from tasks.engine.transactions import service
from tasks.judging.meeting import room
from tasks.judging.meeting.agenda import talked_about
from tasks.judging.meeting.voters import FEWEST, at_meeting, chair_only, leads, voter, voters_of, voters_on


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


PAUSED = _("Paused: somebody who votes on this is not in the room.")
CHANGED = _("The proposal has just changed. Read it again.")


def standing(exhibit: Exhibit) -> Proposal | None:
    """The proposal that stands: the last one."""
    return Proposal.objects.filter(exhibit=exhibit).order_by("number").last()


def confirmed_by(proposal: Proposal) -> frozenset[int]:
    """The keys of the raters whose confirmation of this proposal holds."""
    latest: dict[int, bool] = dict(proposal.confirmations.order_by("pk").values_list("rater", "holds"))
    return frozenset(rater for rater, holds in latest.items() if holds)


@service
def propose(exhibit: Exhibit, *, mark: str, reason: str, by: User, now: datetime) -> Proposal:
    """Propose a mark, as the chair, who confirms it with that if they vote; confirmations begin again.

    What stands already stays as it is. WrongMove while a voter is missing; NotFound for a mark that the rubric has not.
    """
    row = talked_about(exhibit)
    chair_only(row, by)
    if mark not in {each.key for each in rounds.rubric_of(row).marks}:
        raise NotFound
    last = standing(exhibit)
    if last is not None and (last.mark, last.reason) == (mark, reason):
        return last
    _refuse_while_paused(exhibit, now=now)
    made = Proposal.objects.create(
        exhibit=exhibit, number=last.number + 1 if last else 1, mark=mark, reason=reason, by=by, at=now
    )
    events.record("judging.proposed", row, by=by, now=now, place=exhibit.place, number=made.number, mark=mark)
    for rater in voters_on(exhibit):
        if rater.person_id == by.pk:
            _confirm(made, rater, by=by, now=now)
    pokes.room(row.pk, by=by)
    return made


@service
def confirm(exhibit: Exhibit, *, number: int, by: User, now: datetime) -> Consensus | None:
    """Confirm the proposal with this number, as a voter; the consensus, if that was the last confirmation.

    WrongMove if another proposal stands meanwhile, or while a voter is missing. Confirmed already is no error.
    """
    rater, settled = voter(exhibit, by), Consensus.objects.filter(exhibit=exhibit, proposal__number=number).first()
    if settled is not None:
        return settled
    talked_about(exhibit)
    proposal = standing(exhibit)
    if proposal is None or proposal.number != number:
        raise WrongMove(CHANGED)
    if rater.pk in confirmed_by(proposal):
        return None
    _refuse_while_paused(exhibit, now=now)
    _confirm(proposal, rater, by=by, now=now)
    pokes.room(exhibit.round_id, by=by)
    return settle_if_all_confirm(exhibit, by=by, now=now)


@service
def withdraw(exhibit: Exhibit, *, number: int, by: User, now: datetime) -> None:
    """Take back one's confirmation of the proposal with this number, until it is settled; none given is no error."""
    rater, row = voter(exhibit, by), talked_about(exhibit)
    proposal = standing(exhibit)
    if proposal is None or proposal.number != number or rater.pk not in confirmed_by(proposal):
        return
    Confirmation.objects.create(proposal=proposal, rater=rater, holds=False, at=now)
    events.record("judging.withdrawn", row, by=by, now=now, place=exhibit.place, number=number, rater=rater.number)
    pokes.room(row.pk, by=by)


def settle_if_all_confirm(exhibit: Exhibit, *, by: User, now: datetime) -> Consensus | None:
    """Write the consensus if every voter has confirmed the proposal that stands; the caller holds the round's lock."""
    proposal, voting = standing(exhibit), voters_on(exhibit)
    if proposal is None or not voting or not {rater.pk for rater in voting} <= confirmed_by(proposal):
        return None
    made = Consensus.objects.create(exhibit=exhibit, proposal=proposal, voters=len(voting), at=now)
    events.record(
        "judging.consensus", exhibit.round, by=by, now=now, place=exhibit.place, mark=proposal.mark, voters=made.voters
    )
    return made


def _confirm(proposal: Proposal, rater: Rater, *, by: User, now: datetime) -> None:
    Confirmation.objects.create(proposal=proposal, rater=rater, holds=True, at=now)
    place, row = proposal.exhibit.place, proposal.exhibit.round
    events.record("judging.confirmed", row, by=by, now=now, place=place, number=proposal.number, rater=rater.number)


def _refuse_while_paused(exhibit: Exhibit, *, now: datetime) -> None:
    if room.missing(exhibit, now=now):
        raise WrongMove(PAUSED)


@service
def remove_voter(rater: Rater, *, reason: str, by: User, now: datetime) -> None:
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
        settle_if_all_confirm(exhibit, by=by, now=now)
    pokes.room(row.pk, by=by)
