"""The tables of a board: how far each activity is in each split, and who holds work now."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Sum
from django.utils.translation import gettext as _

from annotation.statistics.intervals import Share, wilson
from frontend.leads.board.numbers import A, BoardNumbers, BoardProgress
from tasks.engine import leases
from tasks.models import Assignment, Lease, Queue, WorkCount


@dataclass(frozen=True)
class PartRow:
    """An activity in a split. `submitted` and `wanted` (None: not measured yet) are annotations, `held` places
    that people have taken now.

    `skipped` and `expired` are shares of the work that has ended, None if none has. `first`: of its activity.
    """

    activity: str
    queue: str
    state: str
    tone: str
    split: str
    progress: BoardProgress
    submitted: int
    wanted: int | None
    held: int
    skipped: Share | None
    expired: Share | None
    url: str
    first: bool

    @property
    def submitted_width(self) -> float:
        """The part of what is wanted that is finished."""
        return min(1.0, self.submitted / self.wanted) if self.wanted else 0.0

    @property
    def held_width(self) -> float:
        """The part of it that is in progress."""
        return min(1.0 - self.submitted_width, self.held / self.wanted) if self.wanted else 0.0


@dataclass(frozen=True)
class HeldRow:
    """Work that somebody holds now. `idle`: nobody has touched it for some minutes."""

    code: str
    activity: str
    since: datetime
    touched: datetime | None
    until: datetime
    idle: bool


TONES = {"open": "ok", "paused": "gold"}


def parts(numbers: BoardNumbers) -> list[PartRow]:
    """A row for each activity and split in which there are tasks, of the part that the address asks for."""
    outcomes, taken, rows = _outcomes(numbers), _held(numbers), []
    for queue in numbers.queues:
        splits = sorted(split for activity, split in numbers.tasks if activity == queue.activity)
        asked = [split for split in splits if numbers.asked.split in ("", split)]
        if numbers.asked.queue in ("", queue.activity):
            rows += [_part(numbers, queue, split, outcomes, taken, first=split == asked[0]) for split in asked]
    return rows


def _part(
    numbers: BoardNumbers,
    queue: Queue,
    split: str,
    outcomes: dict[tuple[str, str], Counter[str]],
    taken: dict[tuple[str, str], int],
    *,
    first: bool,
) -> PartRow:
    activity = numbers.protocol.activity(queue.activity)
    ended, seats = outcomes[queue.activity, split], len(activity.seats)
    n, submitted = ended.total(), ended[A.SUBMITTED] // seats
    wanted = numbers.kept["wanted"].get(str(queue.pk), {}).get(split)
    return PartRow(
        activity=_(activity.title),
        queue=queue.activity,
        state=str(queue.get_state_display()),
        tone=TONES.get(queue.state, ""),
        split=split,
        progress=numbers.progress_of(activity=queue.activity, split=split),
        submitted=submitted,
        # Nothing is wanted of what people do only for want of a partner: what was done is all of it.
        wanted=submitted if queue.activity in numbers.protocol.substitutes else wanted,
        held=taken.get((queue.activity, split), 0),
        skipped=wilson(ended[A.SKIPPED], n) if n else None,
        expired=wilson(ended[A.EXPIRED], n) if n else None,
        url=numbers.asked.but(queue=queue.activity, split=split).items(numbers.project),
        first=first,
    )


def _outcomes(numbers: BoardNumbers) -> dict[tuple[str, str], Counter[str]]:
    """How many pieces of work ended how, by activity and split."""
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    rows = numbers.asked.counts(numbers.project).exclude(outcome=WorkCount.DONE)
    for activity, split, outcome, n in rows.values_list("queue__activity", "split", "outcome").annotate(n=Sum("n")):
        found[activity, split][outcome] += n
    return found


def _held(numbers: BoardNumbers) -> dict[tuple[str, str], int]:
    """Places that are taken now, by activity and split."""
    rows = Assignment.objects.filter(lease__in=[lease.pk for lease in numbers.leases], state=A.LEASED).order_by()
    sums = rows.values_list("task__activity", "task__split").annotate(n=Count("pk"))
    return {(activity, split): n for activity, split, n in sums}


def held(numbers: BoardNumbers) -> list[HeldRow]:
    """What people hold now of the queue and person asked for, the longest untouched first."""
    leases = [lease for lease in numbers.leases if numbers.asked.queue in ("", lease.activity)]
    rows = [_of_lease(numbers, lease) for lease in leases if numbers.asked.person in ("", lease.annotator.worker_code)]
    return sorted(rows, key=lambda row: (not row.idle, row.touched or row.since))


def _of_lease(numbers: BoardNumbers, lease: Lease) -> HeldRow:
    """A page that is watched renews its lease, so its end tells when that was; of work in blocks it doesn't."""
    activity = numbers.protocol.activity(lease.activity)
    touched = None
    if activity.idle_minutes is None:
        touched = max(lease.opened_at, lease.expires_at - timedelta(minutes=lease.queue.lease_minutes))
    idle = lease.expires_at <= numbers.now or (touched is not None and numbers.now - touched >= leases.IDLE)
    return HeldRow(lease.annotator.worker_code, _(activity.title), lease.opened_at, touched, lease.expires_at, idle)
