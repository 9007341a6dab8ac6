"""How long whoever has the turn takes, by the server's clock, and whether they are at it: never what they write.

Pauses don't count (`tasks.pairs.pauses`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q

from annotation import events
from annotation.engine.work import Work
from annotation.errors import NotEligible
from annotation.models import Draft, Event, User
from annotation.values.records import Step, Waiting
from tasks.engine import assignments, clocks, leases, pokes
from tasks.engine.clocks import Clock
from tasks.engine.transactions import service
from tasks.models import Assignment
from tasks.models.states import AssignmentState

REMINDED = timedelta(seconds=60)
"""After so long, whoever has the turn is told that a partner waits."""
MORE = timedelta(seconds=120)
"""After so long, and as long after each request, they may ask for more time."""
MOST = 10
"""Requests for more time in one turn."""
QUIET = timedelta(seconds=180)
"""Without input or a request for so long, the partners may go on without them."""
WRITING = timedelta(seconds=15)
"""A draft that was saved so lately is being written."""
TOLD = timedelta(seconds=30)
"""For so long, somebody who has asked for more time reads that the partner knows."""
REQUESTED = "assignment.more_time"
"""The kind of the event of a request."""


@dataclass(frozen=True)
class TurnUnderWay:
    """The turn under way, as one person is told about it.

    `state`, of one's own turn: "" at first, `reminded`, `may_ask` (for more time), or `told` (the partner knows); of a
    partner's: `thinking`, `writing`, `slow` (they have asked for more time), or `quiet`. `idle`: since the last sign of
    whoever has the turn. `begun`: the partner has saved something of their step, so what it is about stays.
    """

    mine: bool
    state: str
    idle: timedelta = timedelta()
    begun: bool = False


def turn_under_way(held: Assignment, *, now: datetime) -> TurnUnderWay | None:
    """The turn under way; None if nobody waits for anybody, or the work is over."""
    if held.state != AssignmentState.LEASED or held.annotation.completed_at is not None:
        return None
    work, (_, *partners) = assignments.work_of(held), leases.leased_seats(held)
    if isinstance(work.following, Step):
        return _own(held, work, clock=_clock(held, work), now=now) if _somebody_waits(work, partners) else None
    if not isinstance(work.following, Waiting):
        return None
    awaited = work.following.step
    theirs = next((row for row in partners if row.seat == awaited.seat), None)
    return _partners(theirs, work, awaited, clock=_clock(theirs, work), now=now) if theirs else None


def _clock(row: Assignment, work: Work) -> Clock:
    return clocks.clock(row.task.item.project_id, since=_began(row, work))


def _somebody_waits(work: Work, partners: Sequence[Assignment]) -> bool:
    theirs = (replace(work, person=row.annotator_id, seat=row.seat, known=work.responses) for row in partners)
    return any(isinstance(each.following, Waiting) for each in theirs)


def _own(held: Assignment, work: Work, *, clock: Clock, now: datetime) -> TurnUnderWay:
    since, asked = _began(held, work), _requests(held, work)
    if asked and clock.passed(asked[-1], now) < TOLD:
        state = "told"
    elif len(asked) < MOST and clock.passed(max([since, *asked]), now) >= MORE:
        state = "may_ask"
    else:
        state = "reminded" if not asked and REMINDED <= clock.passed(since, now) < MORE else ""
    return TurnUnderWay(True, state)


def _partners(row: Assignment, work: Work, awaited: Step, *, clock: Clock, now: datetime) -> TurnUnderWay:
    asked = _requests(row, work)
    drafts = Draft.objects.filter(annotation=row.annotation_id, author=row.annotator_id)
    of_step = Q(stage=awaited.stage, turn=awaited.turn)
    wrote, saved = drafts.aggregate(at=Max("saved_at"), saved=Count("pk", filter=of_step)).values()
    begun = saved > 0
    idle = clock.passed(max(at for at in (_began(row, work), wrote, row.active_at, *asked) if at is not None), now)
    if idle >= QUIET:
        state = "quiet"
    elif wrote is not None and now - wrote < WRITING:
        state = "writing"
    else:
        state = "slow" if asked and clock.passed(asked[-1], now) < MORE else "thinking"
    return TurnUnderWay(False, state, idle, begun)


def _began(row: Assignment, work: Work) -> datetime:
    """When the turn began: with the last answer of anybody, or when they were seated."""
    return max((response.created_at for response in work.responses), default=row.claimed_at)


def _requests(row: Assignment, work: Work) -> list[datetime]:
    """When they have asked for more time in this turn."""
    rows = Event.objects.filter(subject=events.name(row), kind=REQUESTED, at__gte=_began(row, work))
    return list(rows.order_by("pk").values_list("at", flat=True))


def note_input(held: Assignment, *, at: datetime) -> None:
    """The person's page has reported when it last had input."""
    if held.active_at is None or held.active_at < at:
        Assignment.objects.filter(pk=held.pk, state=AssignmentState.LEASED).update(active_at=at)
        held.active_at = at


@service
def ask_for_more(held: Assignment, *, by: User, now: datetime) -> None:
    """Tell the partners that this person needs more time; NotEligible (`not_now`) unless `of` says `may_ask`."""
    assignments.lock(held)
    turn = turn_under_way(held, now=now)
    if turn is None or turn.state != "may_ask":
        raise NotEligible(reason="not_now")
    events.record(REQUESTED, held, by=by, now=now)
    pokes.beside(held.annotation, by=by)
