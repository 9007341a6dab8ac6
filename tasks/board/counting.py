"""Count the work of each day (UTC) again where something has changed, so that boards need not read the record.

A pass looks for the events and time spans since the last one, and counts the days that they are about anew, from the
rows as they are now. So it may look at the same event twice, and the counts are those that `rebuild` finds. Rows of the
last 30 seconds are looked at again, since on PostgreSQL a transaction may commit behind others with larger keys.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Max, Min

from annotation.models import Event, TimeSpan
from annotation.processes import children
from tasks.board import tallies
from tasks.items.setting_aside import LEFT_OR_CAME_BACK, items_under
from tasks.measuring import figures
from tasks.measuring.tables import OPEN_FOR
from tasks.models import Assignment, CountMark, Task, Ticket, WorkCount
from tasks.models.states import AssignmentState, TaskState, TicketState

BREAK = 20
"""The next pass comes after so many times as long as the last one took: 5 % of one core at most."""
MANY = 20_000
"""Beyond so many new events or spans, everything is counted anew, in a process of its own."""
OF_WORK = frozenset(f"assignment.{state}" for state in AssignmentState)
OF_TASKS = frozenset(f"task.{state}" for state in TaskState)
OF_ITEMS = frozenset(LEFT_OR_CAME_BACK)
OF_LOBBIES = frozenset(f"ticket.{state}" for state in (TicketState.SEATED, TicketState.LEFT, TicketState.REMOVED))

PersonDays = dict[int, set[date]]


class Changed(NamedTuple):
    """The days whose work, and the people and days whose time may be other than counted."""

    days: set[date]
    times: PersonDays


def count_due(*, now: datetime) -> bool:
    """Count what has changed, if it is time to; returns whether it was."""
    mark = CountMark.objects.first()
    if mark is not None and now < mark.counted_at + BREAK * timedelta(seconds=mark.seconds):
        return False
    if _is_far_behind(mark):
        with suppress(children.Ending):
            figures.in_a_process_of_its_own("count_work")
    else:
        count(now=now)
    return True


def _is_far_behind(mark: CountMark | None) -> bool:
    since = mark or CountMark(events=0, spans=0)
    behind = Event.objects.filter(pk__gt=since.events), TimeSpan.objects.filter(pk__gt=since.spans)
    return any(len(rows.order_by().values_list("pk")[: MANY + 1]) > MANY for rows in behind)


def count(*, now: datetime) -> Changed:
    """Count the days in which something has changed since the last time; everything, the first time."""
    mark, begun = CountMark.objects.first(), time.monotonic()
    if mark is None:
        rebuild(now=now)
        return Changed(set(), {})
    last_span = _last_span()
    changed = _changed(mark)
    for day in changed.days:
        tallies.keep_counts(tallies.counts(day), day=day)
    for person, days in changed.times.items():
        tallies.keep_times(tallies.times(person, days), person=person, days=days)
    _move(mark, last_span=last_span, seconds=time.monotonic() - begun, now=now)
    return changed


def rebuild(*, now: datetime) -> None:
    """Count everything anew from the record, day by day and person by person, so that nobody waits long for a lock."""
    begun, last_span = time.monotonic(), _last_span()
    for day in _every_day():
        tallies.keep_counts(tallies.counts(day), day=day)
    people = set(TimeSpan.objects.order_by().values_list("annotator", flat=True).distinct())
    people |= set(Ticket.objects.order_by().values_list("annotator", flat=True).distinct())
    tallies.forget_times(of_others_than=people)
    for person in sorted(people):
        tallies.keep_times(tallies.times(person, None), person=person, days=None)
    mark = CountMark.objects.first() or CountMark(events=0, spans=0, spans_seen=0, seen_at=now)
    # A pass takes as long as what has changed; the next one is not to wait for what a rebuild took.
    _move(mark, last_span=last_span, seconds=min(1.0, time.monotonic() - begun), now=now)


def _every_day() -> list[date]:
    """From the first day on which work ended or was counted to the last one."""
    ends = Assignment.objects.aggregate(first=Min("closed_at"), last=Max("closed_at"))
    kept = WorkCount.objects.aggregate(first=Min("day"), last=Max("day"))
    known = [*_days(ends.values()), *filter(None, kept.values())]
    if not known:
        return []
    return [min(known) + timedelta(days=n) for n in range((max(known) - min(known)).days + 1)]


def _move(mark: CountMark, *, last_span: int, seconds: float, now: datetime) -> None:
    """Note what is counted now; spans have no time of their own, so those are sure that were there 30 seconds ago."""
    sure = Event.objects.filter(pk__gt=mark.events, at__lt=now - OPEN_FOR).aggregate(last=Max("pk"))["last"]
    mark.events = sure or mark.events
    if now - mark.seen_at >= OPEN_FOR:
        mark.spans, mark.spans_seen, mark.seen_at = mark.spans_seen, last_span, now
    mark.counted_at, mark.seconds = now, seconds
    mark.save()


def _last_span() -> int:
    return TimeSpan.objects.aggregate(last=Max("pk"))["last"] or 0


def _changed(mark: CountMark) -> Changed:
    rows = Event.objects.filter(pk__gt=mark.events, kind__in=OF_WORK | OF_TASKS | OF_LOBBIES | OF_ITEMS)
    subjects: defaultdict[str, set[str]] = defaultdict(set)
    for subject in rows.order_by().values_list("subject", flat=True).distinct():
        name, _colon, key = subject.partition(":")
        subjects[name].add(key)
    days = _days_of_work(subjects["assignment"]) | _days_of_tasks(subjects["task"] | _tasks_under(subjects["item"]))
    times = _times_of_tickets(subjects["ticket"])
    spans = TimeSpan.objects.filter(pk__gt=mark.spans).order_by()
    for person, begun in spans.values_list("annotator", "begun_at"):
        times[person].add(day_of(begun))
    return Changed(days, times)


def _days_of_work(uuids: set[str]) -> set[date]:
    """The days on which these assignments ended, now or at any time before: another state may have undone that."""
    if not uuids:
        return set()
    names = {f"assignment:{uuid}" for uuid in uuids}
    ends = Event.objects.filter(subject__any_of=names, kind__in=OF_WORK).order_by().values_list("at", flat=True)
    closed = Assignment.objects.filter(uuid__any_of=uuids).order_by().values_list("closed_at", flat=True)
    return _days([*ends, *closed]) | _days_of_tasks(set(_tasks_of(uuids)))


def _tasks_of(uuids: set[str]) -> Iterable[Any]:
    return Assignment.objects.filter(uuid__any_of=uuids).order_by().values_list("task", flat=True)


def _tasks_under(items: set[Any]) -> set[Any]:
    """The tasks of these items and of all under them; those that were withdrawn before have no event of their own."""
    if not items:
        return set()
    under = set(items_under({int(item) for item in items}))
    return set(Task.objects.filter(item__any_of=under).values_list("pk", flat=True))


def _days_of_tasks(tasks: set[Any]) -> set[date]:
    """The days on which work in these tasks ended."""
    if not tasks:
        return set()
    rows = Assignment.objects.filter(task__any_of={int(task) for task in tasks}).order_by()
    return _days(rows.values_list("closed_at", flat=True))


def _times_of_tickets(tickets: set[str]) -> defaultdict[int, set[date]]:
    times: defaultdict[int, set[date]] = defaultdict(set)
    rows = Ticket.objects.filter(pk__in=tickets, ended_at__isnull=False) if tickets else Ticket.objects.none()
    for person, ended in rows.values_list("annotator", "ended_at"):
        times[person] |= _days([ended])
    return times


def _days(times: Iterable[datetime | None]) -> set[date]:
    return {day_of(at) for at in times if at is not None}


def day_of(at: datetime) -> date:
    """The day (UTC) of a time."""
    return at.astimezone(UTC).date()


def counted_at() -> datetime | None:
    """When work was last counted."""
    return CountMark.objects.values_list("counted_at", flat=True).first()
