"""How a round goes on once its raters have locked, and how it ends: closed as it is, or stopped with a reason."""

from __future__ import annotations

from datetime import datetime

from annotation.documents.words import says_something
from annotation.engine import state_machine
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.judging import given_marks, rounds
from annotation.models import JudgingRound, Rater, RoundState, User
from annotation.models.judging import ROUND_MOVES
from tasks.engine import leases, pokes, transitions
from tasks.engine.transactions import service
from tasks.judging import raters
from tasks.judging.meeting.voters import FEWEST, at_meeting, leads, voters_of
from tasks.models import ASSESS, Lease
from tasks.models.states import AssignmentState


def go_on_if_all_locked(row: JudgingRound, *, by: User, now: datetime, idle: Rater | None = None) -> None:
    """Open the meeting if the rules want one, else close the round; the caller holds its lock.

    Nobody waits for a rater who has nothing to judge, as the caller knows of the `idle` one. One rater alone has nobody
    to meet.
    """
    if row.state != RoundState.SEALED:
        return
    for rater in given_marks.remaining_raters(row).filter(locked_at=None).select_related("person"):
        if rater != idle and raters.given_to(row, rater):
            return
    if rounds.rules_of(row).meeting and voters_of(row).count() >= FEWEST:
        state_machine.move(row, RoundState.MEETING, moves=ROUND_MOVES, by=by, now=now)
    else:
        state_machine.move(row, RoundState.CLOSED, moves=ROUND_MOVES, by=by, now=now, ended_at=now)


@service
def end_meeting(row: JudgingRound, *, by: User, now: datetime) -> None:
    """Close the round, as the chair or a lead: what is not settled stays so. Closed already is no error."""
    found = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if not (found.chair_id == by.pk or leads(found, by)):
        raise NotFound
    if found.state == RoundState.CLOSED:
        return
    row = at_meeting(found)
    state_machine.move(row, RoundState.CLOSED, moves=ROUND_MOVES, by=by, now=now, ended_at=now)
    pokes.room(row.pk, by=by)


@service
def stop(row: JudgingRound, *, why: str, by: User, now: datetime) -> None:
    """End a round before its time, as a lead; what was judged stays, and results say how much that is.

    WrongMove without a reason, and for a round that is a draft or over.
    """
    row = JudgingRound.objects.select_for_update().get(pk=row.pk)
    if not says_something(why):
        raise WrongMove(_("Say why the round is stopped."))
    if row.state not in (RoundState.SEALED, RoundState.MEETING):
        raise WrongMove(_("This round is over."))
    _take_work_back(row, by=by, now=now)
    why = why.strip()[: JudgingRound.LONGEST_WHY]
    state_machine.move(row, RoundState.STOPPED, moves=ROUND_MOVES, by=by, now=now, ended_at=now, stopped_why=why)
    pokes.room(row.pk, by=by)


def _take_work_back(row: JudgingRound, *, by: User, now: datetime) -> None:
    held = Lease.objects.filter(queue__project=row.project, queue__activity=ASSESS, queue__name=str(row.pk))
    for lease in held.filter(closed_at=None).order_by("pk"):
        revoke_unmarked(lease, by=by, now=now, reason="round_stopped")


def revoke_unmarked(lease: Lease, *, by: User, now: datetime, reason: str) -> None:
    """Revoke what has no mark yet; nothing that has one can be revised once the lease is closed."""
    transitions.lock(sorted(lease.assignments.values_list("task_id", flat=True)))
    left = lease.assignments.filter(state=AssignmentState.LEASED).select_related("task", "annotation")
    for assignment in left.order_by("task_id"):
        transitions.assignment(assignment, AssignmentState.REVOKED, by=by, now=now, reason=reason)
    leases.close_if_done(lease, now=now)
