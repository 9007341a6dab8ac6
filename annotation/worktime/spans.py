"""Working time as measured by screens (how long they were visible, how much of that had input), stored as spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import CharField, F, OuterRef, QuerySet, Subquery, Sum

from annotation.db.compiled import Param, Prepared
from annotation.engine.work import Work
from annotation.models import Annotation, TimeSpan, User
from annotation.models.time import SpanKind
from annotation.values.records import Step

MEASURED = "in_sight"
"""The kind of trace line that reports it: {"ms": milliseconds visible, "active": milliseconds of these with input}."""
WORDS_A_MINUTE = 175
"""The slowest reading speed that is paid in full. Brysbaert 2019, "How many words do we read per minute?": silent
readers of English non-fiction read 238 words a minute on average, and most adults 175 to 300."""
LEAST = 60.0
"""Seconds of reading allowed at every stage: thinking about a short text takes longer than reading it."""
SEEKING, COURSE, EXAM, MEETING = "search", "course", "exam", "meeting"
"""The stages of time that belongs to no piece of work: searching for some, the guidelines and tutorial of a course, its
exam, and the meeting of a judging round."""
SHORTEST = 0.001
"""Seconds; anything shorter is not stored."""


@dataclass(frozen=True)
class BookedWork:
    """What time is booked on: the project (its key), the annotation (None while searching), the stage, since when.

    `words` returns how many words there are to read; it is called only beyond the reading allowed at every stage.
    `meeting`: the round (its key) in whose meeting it is; nothing is read there, see `SpanKind`.
    """

    project: int
    annotation: Annotation | None
    stage: str
    since: datetime
    words: Callable[[], int]
    meeting: int | None = None


def place_of(work: Work, annotation: Annotation, step: str, *, since: datetime) -> BookedWork:
    """The Place of a step of work held since then, booked on its stage; an unreached step has nothing to read."""
    return BookedWork(
        work.item.project_id,
        annotation,
        Step.at(step).stage,
        since,
        lambda: work.sheet(step).word_count if work.reached(step) else 0,
    )


def allowance(words: int) -> float:
    """Seconds allowed for reading so many words; beyond them, time without input is idle."""
    return max(LEAST, words * 60 / WORDS_A_MINUTE)


def measured(lines: Iterable[list[Any]]) -> tuple[float, float]:
    """Seconds visible and seconds with input, summed over the lines of a trace; invalid numbers are ignored."""
    visible = active = 0.0
    for _at, kind, data, _method in lines:
        if kind == MEASURED:
            visible += _seconds(data.get("ms"))
            active += _seconds(data.get("active"))
    return visible, min(active, visible)


def lock_spans(person: User) -> None:
    """Lock this person's time and amendments until the transaction ends."""
    if not _person(person=person.pk):
        raise User.DoesNotExist


@Prepared
def _person() -> QuerySet[User, tuple[Any, ...]]:
    return User.objects.filter(pk=Param("person")).select_for_update(no_key=True).values_list("pk")


@transaction.atomic
def lock_and_write(place: BookedWork, visible: float, active: float, *, by: User, now: datetime) -> list[TimeSpan]:
    """`write` for a caller who does not hold the person's lock yet."""
    lock_spans(by)
    return write(place, visible, active, by=by, now=now)


def write(place: BookedWork, visible: float, active: float, *, by: User, now: datetime) -> list[TimeSpan]:
    """Store one message that arrived `now` as spans: active, reading up to the allowance, the rest idle; in a meeting
    what the page calls active, and the rest idle.

    They end at `now` and begin no earlier than the claim and the end of the person's last span on any work: two tabs
    never count the same minute, and a browser can't report more time than has passed. The caller holds the person's
    lock. A delayed message is dated by its arrival, so its spans may begin later than the work did.
    """
    last = _last.first(annotator=by.pk, annotation=place.annotation and place.annotation.pk, stage=place.stage)
    ended, read = (last[0] + timedelta(seconds=last[1]), last[2] or 0.0) if last else (place.since, 0.0)
    if place.annotation is None and place.meeting is None:
        read = _read_while_seeking(place, by)
    room = (now - max(place.since, ended)).total_seconds()
    visible = min(visible, room)
    if visible < SHORTEST:
        return []
    rows, at = [], now - timedelta(seconds=visible)
    for kind, seconds in _parts(place, min(active, visible), visible - min(active, visible), read):
        if seconds < SHORTEST:
            continue
        rows.append(
            TimeSpan(
                annotator=by,
                project_id=place.project,
                annotation=place.annotation,
                meeting_id=place.meeting,
                stage=place.stage,
                kind=kind,
                begun_at=at,
                seconds=int(seconds * 1000) / 1000,
            )
        )
        at += timedelta(seconds=seconds)
    return TimeSpan.objects.bulk_create(rows)


def _parts(place: BookedWork, active: float, quiet: float, read: float) -> Iterator[tuple[SpanKind, float]]:
    """The kinds and seconds of a message, after so many seconds of reading here."""
    if place.meeting is not None:
        yield SpanKind.MEETING, active
        yield SpanKind.IDLE, quiet
        return
    reading = min(quiet, max(0.0, _allowed(place, read + quiet) - read))
    yield SpanKind.ACTIVE, active
    yield SpanKind.READING, reading
    yield SpanKind.IDLE, quiet - reading


def _allowed(place: BookedWork, wanted: float) -> float:
    """The reading time allowed at the stage; its words are counted only if more than LEAST is needed."""
    return LEAST if wanted <= LEAST else allowance(place.words())


def _read_while_seeking(place: BookedWork, by: User) -> float:
    """Seconds of reading so far on this page of results; each page has its own allowance."""
    here = TimeSpan.objects.filter(annotator=by, project=place.project, annotation=None, stage=place.stage)
    found = here.filter(kind=SpanKind.READING, begun_at__gte=place.since)
    return found.aggregate(sum=Sum("seconds"))["sum"] or 0.0


@Prepared
def _last() -> QuerySet[TimeSpan, tuple[Any, ...]]:
    """The start and length of the person's last span, and their seconds of reading at this stage of this work."""
    read = TimeSpan.objects.filter(
        annotator=OuterRef("annotator"),
        annotation=Param("annotation"),
        stage=Param("stage", CharField()),
        kind=SpanKind.READING,
    )
    sum_of = read.order_by().values("annotation").annotate(sum=Sum("seconds")).values("sum")
    rows = TimeSpan.objects.filter(annotator=Param("annotator")).order_by(F("begun_at").desc())
    return rows.values_list("begun_at", "seconds", Subquery(sum_of))[:1]


def _seconds(value: Any) -> float:
    return value / 1000 if type(value) is int and value > 0 else 0.0
