"""A rater who drops out of a round, and whoever judges in their place."""

from __future__ import annotations

from datetime import datetime

from annotation import events
from annotation.documents.words import says_something
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.judging import given_marks
from annotation.models import JudgingRound, Rater, Removal, RoundState, User
from tasks.engine import leases, transitions
from tasks.engine.transactions import service
from tasks.judging import ending, raters, turns, working
from tasks.models import Assignment
from tasks.models.states import AssignmentState

REASON = "replaced"
"""Why an assignment is revoked, in its event."""


@service
def replace(rater: Rater, person: User | None, *, reason: str, by: User, now: datetime) -> Rater | None:
    """End a rater's part before they have locked: their marks are kept and count nowhere. The other person judges all
    of it, or the same part where raters take turns; without one, those who remain go on. Returns the new rater.

    WrongMove without a reason, for who has locked, if nobody would remain, and if the other one judges already.
    """
    row = JudgingRound.objects.select_for_update(of=("self",)).select_related("project").get(pk=rater.round_id)
    rater = Rater.objects.select_related("person").get(pk=rater.pk)
    if Removal.objects.filter(rater=rater).exists():
        return None
    if not says_something(reason):
        raise WrongMove(_("Say why, in a few words."))
    if row.state != RoundState.SEALED:
        raise WrongMove(_("Nobody judges in this round now."))
    if rater.locked_at is not None:
        raise WrongMove(_("They have locked: their marks are final."))
    if person is None and given_marks.remaining_raters(row).count() < 2:
        raise WrongMove(_("Nobody else judges. Stop the round instead, or choose somebody."))
    if person is not None and row.raters.filter(person=person).exists():
        raise WrongMove(_("They judge in this round already."))
    Removal.objects.create(rater=rater, reason=reason.strip()[: Removal.LONGEST], by=by, at=now)
    _take_back(rater, row, by=by, now=now)
    made = raters.name(row, person, by=by, now=now, replaces=True) if person else None
    new = made.number if made else None
    events.record(turns.REPLACED, row, by=by, now=now, rater=rater.number, reason=reason, new=new)
    if made is None or not raters.given_to(row, made, in_place_of=rater):
        ending.go_on_if_all_locked(row, by=by, now=now, idle=made)
    return made


def _take_back(rater: Rater, row: JudgingRound, *, by: User, now: datetime) -> None:
    """Revoke what they hold; nothing of what they have marked can be revised once their lease is closed."""
    lease = working.lease_of(row, rater.person)
    if lease is None:
        return
    transitions.lock(sorted(lease.assignments.values_list("task_id", flat=True)))
    left = Assignment.objects.filter(lease=lease, state=AssignmentState.LEASED).select_related("task", "annotation")
    for assignment in left.order_by("task_id"):
        transitions.assignment(assignment, AssignmentState.REVOKED, by=by, now=now, reason=REASON)
    leases.close_if_done(lease, now=now)
