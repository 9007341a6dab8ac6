"""The counts of days as the record has them, and writing them over those that are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models import Model as Table
from django.db.models.functions import TruncDate

from annotation.models import Event, SpanKind, TimeSpan, items_in_work
from annotation.models.time import COUNTED
from annotation.worktime.totals import bounds
from tasks.engine.transactions import service
from tasks.models import NO_DATA, Assignment, Queue, Ticket, WorkCount, WorkTime
from tasks.models.states import AssignmentState, TaskState
from tasks.people.earnings import scripted

ENDED = (TaskState.DONE, TaskState.DISPUTED)
"""Tasks that nobody works on any more: their annotations are complete, whether or not they agree."""
CHUNK = 2000
SECONDS = ("counted", "idle", "waited")


class CountKey(NamedTuple):
    """What a count is about."""

    project: int
    queue: int
    split: str
    person: int | None
    day: date
    outcome: str
    reason: str


class TimeKey(NamedTuple):
    """What seconds are about."""

    project: int
    queue: int | None
    split: str
    person: int
    day: date


Times = defaultdict[TimeKey, dict[str, float]]
PLACE = ("task__queue__project", "task__queue", "task__split")


def counts(day: date) -> Counter[CountKey]:
    """What work ended how on this day. The work of experts on references is no part of what is to be done."""
    begins, ends = bounds(day)
    every = Assignment.objects.filter(closed_at__gte=begins, closed_at__lt=ends).order_by()
    every = every.exclude(task__queue__activity__in=NO_DATA).exclude(state=AssignmentState.LEASED)
    rows = every.filter(items_in_work("task__item__"))
    found: Counter[CountKey] = Counter()
    for row in rows.values_list(*PLACE, "annotator", "state").annotate(n=Count("pk")):
        project, queue, split, person, state, n = row
        found[CountKey(project, queue, split, person, day, state, "")] += n
    _divide_skips(found, rows, day)
    aside = every.filter(task__item__set_aside_at__isnull=False, state=AssignmentState.SUBMITTED)
    for project, queue, split, person, n in aside.values_list(*PLACE, "annotator").annotate(n=Count("pk")):
        found[CountKey(project, queue, split, person, day, WorkCount.SET_ASIDE, "")] += n
    _divide_by_script(found, rows.filter(state=AssignmentState.SUBMITTED), day, AssignmentState.SUBMITTED)
    _divide_by_script(found, aside, day, WorkCount.SET_ASIDE)
    later = Assignment.objects.filter(task=OuterRef("task"), state=AssignmentState.SUBMITTED, closed_at__gte=ends)
    ended = rows.filter(~Exists(later), state=AssignmentState.SUBMITTED, task__state__in=ENDED)
    for project, queue, split, n in ended.values_list(*PLACE).annotate(n=Count("task", distinct=True)):
        found[CountKey(project, queue, split, None, day, WorkCount.DONE, "")] += n
    return +found


def _divide_skips(counts: Counter[CountKey], rows: QuerySet[Assignment], day: date) -> None:
    """By reason: the one that was given last."""
    skipped = rows.filter(state=AssignmentState.SKIPPED).values_list("uuid", *PLACE, "annotator")
    for chunk in _chunks(list(skipped)):
        names = {f"assignment:{row[0]}" for row in chunk}
        events = Event.objects.filter(subject__any_of=names, kind=f"assignment.{AssignmentState.SKIPPED}")
        reasons = dict(events.order_by("pk").values_list("subject", "data"))
        for uuid, project, queue, split, person in chunk:
            if reason := (reasons.get(f"assignment:{uuid}", {}).get("reason") or "")[:40]:
                key = CountKey(project, queue, split, person, day, AssignmentState.SKIPPED, "")
                counts[key] -= 1
                counts[key._replace(reason=reason)] += 1


def _divide_by_script(counts: Counter[CountKey], rows: QuerySet[Assignment], day: date, outcome: str) -> None:
    """Of submitted work: what its person sent answers of by script, not from a page."""
    for project, queue, split, person, n in scripted(rows).values_list(*PLACE, "annotator").annotate(n=Count("pk")):
        key = CountKey(project, queue, split, person, day, outcome, "")
        counts[key] -= n
        counts[key._replace(reason=WorkCount.BY_SCRIPT)] += n


def times(person: int, days: set[date] | None) -> Times:
    """The seconds of a person on these days, or on any."""
    found: Times = defaultdict(lambda: dict.fromkeys(SECONDS, 0.0))
    spans = TimeSpan.objects.filter(annotator=person).order_by()
    if days is not None:
        spans = spans.filter(_within("begun_at", days))
    sums = spans.annotate(day=TruncDate("begun_at", tzinfo=UTC)).values_list("project", "annotation", "day")
    rows = list(
        sums.annotate(
            counted=Sum("seconds", filter=Q(kind__in=COUNTED)), idle=Sum("seconds", filter=Q(kind=SpanKind.IDLE))
        )
    )
    places = _places({row[1] for row in rows if row[1] is not None})
    for project, annotation, day, counted, idle in rows:
        queue, split = places.get(annotation, (None, ""))
        seconds = found[TimeKey(project, queue, split, person, day)]
        seconds["counted"] += counted or 0.0
        seconds["idle"] += idle or 0.0
    _add_waits(found, person, days)
    return found


def _places(annotations: set[int]) -> dict[int, tuple[int, str]]:
    """The queue and split in which each was made."""
    places: dict[int, tuple[int, str]] = {}
    for chunk in _chunks(list(annotations)):
        rows = Assignment.objects.filter(annotation__any_of=set(chunk)).exclude(task__queue__activity__in=NO_DATA)
        for annotation, queue, split in rows.order_by("pk").values_list("annotation", "task__queue", "task__split"):
            places[annotation] = queue, split
    return places


def _add_waits(times: Times, person: int, days: set[date] | None) -> None:
    """Visits to lobbies, on the day on which they ended."""
    tickets = Ticket.objects.filter(annotator=person, ended_at__isnull=False)
    if days is not None:
        tickets = tickets.filter(_within("ended_at", days))
    for project, activity, entered, ended in tickets.values_list("project", "activity", "entered_at", "ended_at"):
        queue = Queue.objects.filter(project=project, activity=activity).order_by("pk").first()
        if ended is not None:
            key = TimeKey(project, queue.pk if queue else None, "", person, ended.astimezone(UTC).date())
            times[key]["waited"] += max(0.0, (ended - entered).total_seconds())


def _within(column: str, days: set[date]) -> Q:
    found = Q()
    for begins, ends in map(bounds, sorted(days)):
        found |= Q(**{f"{column}__gte": begins, f"{column}__lt": ends})
    return found


@service
def keep_counts(counts: Counter[CountKey], *, day: date) -> None:
    """Write these counts over those of the day."""
    kept = WorkCount.objects.filter(day=day)
    _replace(
        kept,
        {
            key: WorkCount(
                project_id=key.project, queue_id=key.queue, split=key.split, person_id=key.person, day=key.day,
                outcome=key.outcome, reason=key.reason, n=n,
            )
            for key, n in counts.items()
        },
        key=lambda row: CountKey(
            row.project_id, row.queue_id, row.split, row.person_id, row.day, row.outcome, row.reason
        ),
        columns=("n",),
    )  # fmt: skip


@service
def keep_times(times: Times, *, person: int, days: set[date] | None) -> None:
    """Write these seconds over those of the person and days."""
    kept = WorkTime.objects.filter(person=person)
    _replace(
        kept if days is None else kept.filter(day__in=days),
        {
            key: WorkTime(
                project_id=key.project, queue_id=key.queue, split=key.split, person_id=person, day=key.day,
                **{name: round(seconds[name], 3) for name in ("counted", "idle", "waited")},
            )
            for key, seconds in times.items()
        },
        key=lambda row: TimeKey(row.project_id, row.queue_id, row.split, row.person_id, row.day),
        columns=SECONDS,
    )  # fmt: skip


def forget_times(*, of_others_than: set[int]) -> None:
    """Forget the time of people who have none."""
    WorkTime.objects.exclude(person__in=of_others_than).delete()


def _replace(kept: QuerySet[Any], counted: Mapping[Any, Table], *, key: Any, columns: tuple[str, ...]) -> None:
    """Make the kept rows those that were found, and write only what differs."""
    before = {key(row): row for row in kept}
    changed = []
    for place in before.keys() & counted.keys():
        row, new = before[place], counted[place]
        if any(getattr(row, column) != getattr(new, column) for column in columns):
            new.pk = row.pk
            changed.append(new)
    model = kept.model
    gone = {row.pk for place, row in before.items() if place not in counted}
    if gone:
        model.objects.filter(pk__any_of=gone).delete()
    model.objects.bulk_create([row for place, row in counted.items() if place not in before], batch_size=CHUNK)
    if changed:
        model.objects.bulk_update(changed, columns, batch_size=CHUNK)


def _chunks(rows: list[Any]) -> Iterable[list[Any]]:
    return (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))
