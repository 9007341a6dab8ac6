"""The numbers of a board: tasks as they are now, and work from the daily counts that a job keeps.

A card shows some of them: a picture with its number, words and links, and the numbers behind it as a table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Count, Max, Q, Sum

from annotation import registry
from annotation.models import Project, User
from annotation.protocol import Protocol
from frontend.leads.board.asked import BoardQuery
from frontend.leads.plots import svg
from tasks.board import counting, forecast, kept
from tasks.board.tallies import ENDED
from tasks.models import NO_DATA, Lease, Queue, Task, WorkCount
from tasks.models.states import AssignmentState, TaskState

A = AssignmentState
FINISHED = (A.SUBMITTED,)
LEFT = (A.SKIPPED, A.RETURNED, A.EXPIRED, A.REVOKED)
"""Outcomes of work that was begun and not finished."""


@dataclass(frozen=True)
class Note:
    """A line under a picture: what counts in bold, then the rest."""

    bold: str
    rest: str
    url: str = ""


@dataclass(frozen=True)
class Card:
    """`about`: what and how many the numbers are of. `nothing`: said instead of a picture that can't be drawn yet.
    `legend`: how to read the picture. `link`: the address and the name of the list behind it."""

    key: str
    title: str
    about: str = ""
    link: tuple[str, str] | None = None
    plot: svg.SvgPlot | None = None
    nothing: str = ""
    notes: Sequence[Note] = ()
    legend: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = field(default=(), repr=False)


@dataclass(frozen=True)
class BoardProgress:
    """Tasks of the part, those that have ended, are frozen or wait for an expert."""

    total: int
    done: int
    open: int
    frozen: int
    disputed: int


@dataclass(frozen=True)
class PersonRow:
    """What somebody has done in the part, and the last day on which they did anything.

    `paid`: seconds that count, amendments included.
    """

    code: str
    finished: int
    skipped: int
    ended: int
    paid: float
    last: date | None


@dataclass(frozen=True)
class Amended:
    """Seconds that somebody has added, or taken off, and the last day of which."""

    seconds: float
    last: date


class BoardNumbers:
    """Reads each number once; `now` is when the board is shown."""

    def __init__(self, project: Project, asked: BoardQuery, *, now: datetime) -> None:
        self.project, self.asked, self.now = project, asked, now
        self.protocol: Protocol = registry.get(project.protocol)

    @cached_property
    def queues(self) -> list[Queue]:
        """The queues in which something is to be done."""
        return list(self.project.queues.exclude(activity__in=NO_DATA).order_by("pk"))

    @cached_property
    def tasks(self) -> dict[tuple[str, str], Counter[str]]:
        """How many tasks are in each state, by activity and split."""
        found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        activity = {queue.pk: queue.activity for queue in self.queues}
        rows = Task.objects.filter(queue__in=list(activity)).order_by().values_list("queue", "split", "state")
        for queue, split, state, n in rows.annotate(n=Count("pk")):
            found[activity[queue], split][state] += n
        return found

    @cached_property
    def splits(self) -> list[str]:
        """The splits in which there are tasks."""
        return sorted({split for _activity, split in self.tasks})

    def progress_of(self, *, activity: str = "", split: str = "") -> BoardProgress:
        """Of one activity, or of all in which work is wanted, and of one split or all."""
        states: Counter[str] = Counter()
        for (each, where), counts in self.tasks.items():
            if (each == activity or (not activity and each not in self.protocol.substitutes)) and split in ("", where):
                states.update(counts)
        done = sum(states[state] for state in ENDED)
        total = states.total() - states[TaskState.CANCELLED]
        return BoardProgress(total, done, states[TaskState.OPEN], states[TaskState.FROZEN], states[TaskState.DISPUTED])

    @cached_property
    def progress(self) -> BoardProgress:
        """Of the splits and queues asked for."""
        return self.progress_of(activity=self.asked.queue, split=self.asked.split)

    @cached_property
    def outcomes(self) -> dict[date, Counter[str]]:
        """How many pieces of work ended how, by day."""
        found: defaultdict[date, Counter[str]] = defaultdict(Counter)
        rows = self.asked.counts(self.project).exclude(outcome=WorkCount.DONE).values_list("day", "outcome")
        for day, outcome, n in rows.annotate(n=Sum("n")):
            found[day][outcome] += n
        return dict(sorted(found.items()))

    @cached_property
    def ended(self) -> Counter[str]:
        """How many pieces of work ended how, on all days."""
        return sum(self.outcomes.values(), Counter())

    @cached_property
    def skips(self) -> list[tuple[str, int]]:
        """How many skips gave which reason ("" for none), the most frequent first."""
        rows = self.asked.counts(self.project).filter(outcome=A.SKIPPED).values_list("reason")
        return sorted(rows.annotate(n=Sum("n")), key=lambda row: (-row[1], row[0]))

    @cached_property
    def hours(self) -> dict[date, float]:
        """Seconds that count, by day, without amendments."""
        rows = self.asked.times(self.project).values_list("day").annotate(counted=Sum("counted"))
        return dict(sorted(rows))

    @cached_property
    def done_by_day(self) -> dict[date, int]:
        """Tasks of the splits and queues asked for that were finished on each day."""
        part = BoardQuery(split=self.asked.split, queue=self.asked.queue)
        rows = part.counts(self.project).filter(outcome=WorkCount.DONE)
        if not self.asked.queue:
            rows = rows.exclude(queue__activity__in=self.protocol.substitutes)
        return dict(sorted(rows.values_list("day").annotate(n=Sum("n"))))

    @property
    def today(self) -> date:
        """The present day (UTC)."""
        return counting.day_of(self.now)

    def done_before(self, *, days: int, ago: int = 1) -> list[int]:
        """Tasks done on each of so many days, of which the last is `ago` days before today, oldest first.

        The days before the first one with work are left out.
        """
        first = min(self.done_by_day, default=self.today)
        every = [self.today - timedelta(days=ago + n) for n in reversed(range(days))]
        return [self.done_by_day.get(day, 0) for day in every if day >= first]

    @cached_property
    def forecast(self) -> forecast.Forecast | None:
        """When the rest will be done."""
        left = self.progress.total - self.progress.done
        return forecast.forecast(self.done_before(days=forecast.DAYS), left)

    @cached_property
    def people(self) -> list[PersonRow]:
        """Everybody who did something in the part, who finished most first."""
        counts = self.asked.counts(self.project).exclude(person=None).values("person")
        rows = counts.annotate(
            finished=Sum("n", filter=Q(outcome__in=FINISHED), default=0),
            skipped=Sum("n", filter=Q(outcome=A.SKIPPED), default=0),
            ended=Sum("n"),
            last=Max("day"),
        )
        times = self.asked.times(self.project).values("person")
        timed = {row["person"]: row for row in times.annotate(counted=Sum("counted"), last=Max("day"))}
        known = {row["person"]: row for row in rows}
        keys = {*known, *timed, *self.amended}
        codes = dict(User.objects.filter(pk__in=keys).values_list("pk", "worker_code"))
        found = [self._person(codes[key], known.get(key), timed.get(key), self.amended.get(key)) for key in keys]
        return sorted(found, key=lambda row: (-row.finished, row.code))

    @staticmethod
    def _person(code: str, work: Any, time: Any, amended: Amended | None) -> PersonRow:
        days = [row["last"] for row in (work, time) if row] + ([amended.last] if amended else [])
        finished, skipped, ended = ((work or {}).get(name, 0) for name in ("finished", "skipped", "ended"))
        paid = (time["counted"] if time else 0.0) + (amended.seconds if amended else 0.0)
        return PersonRow(code, finished, skipped, ended, max(0.0, paid), max(days, default=None))

    @cached_property
    def is_unknown(self) -> bool:
        """Whether the address asks for a code that nobody has who is or was in the project."""
        code = self.asked.person
        return bool(code) and not self.people and not self.project.memberships.filter(user__worker_code=code).exists()

    @cached_property
    def amended(self) -> dict[int, Amended]:
        """What people have amended in the part, by the key of the person."""
        rows = self.asked.amendments(self.project).values_list("annotator")
        sums = rows.annotate(minutes=Sum("minutes"), last=Max("day"))
        return {person: Amended(60.0 * minutes, last) for person, minutes, last in sums}

    @cached_property
    def by_script(self) -> int:
        """In how many pieces of finished work of the part somebody sent an answer by script."""
        rows = self.asked.counts(self.project).filter(outcome__in=FINISHED, reason=WorkCount.BY_SCRIPT)
        return sum(rows.values_list("n", flat=True))

    @cached_property
    def leases(self) -> list[Lease]:
        """The leases that people hold now, the one that ends first in front."""
        activities = [each.key for each in self.protocol.activities]
        rows = Lease.objects.filter(project=self.project, activity__in=activities, closed_at__isnull=True)
        return list(rows.select_related("annotator", "queue").order_by("expires_at"))

    @cached_property
    def at_work(self) -> int:
        """How many people hold work now."""
        return len({lease.annotator_id for lease in self.leases if lease.expires_at > self.now})

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What a job has measured besides."""
        row = kept.of_page(self.project)
        return row.values if row else {"wanted": {}, "times": {}}

    @cached_property
    def wanted(self) -> int:
        """Annotations wanted of the splits and queues asked for."""
        activity = {str(queue.pk): queue.activity for queue in self.queues}
        return sum(
            n
            for queue, splits in self.kept["wanted"].items()
            for split, n in splits.items()
            if self.asked.queue in ("", activity.get(queue)) and self.asked.split in ("", split)
        )

    @cached_property
    def counted_at(self) -> datetime | None:
        """When the daily counts were last brought up to date."""
        return counting.counted_at()
