"""Items of the work screen in exams and tutorials: their tries and marks; drafts become answers when the time ends.

The callers hold the person's lock, and that of the attempt.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet
from django.utils.datastructures import MultiValueDict

from annotation import randomness, registry
from annotation.engine import committing, loading
from annotation.engine.work import Work
from annotation.errors import NotFound, Refused
from annotation.models import Purpose, Response, User
from annotation.values.records import AnnotationRecord, Step
from annotation.values.scores import Score
from qualification import tries
from qualification.courses import real_items
from qualification.courses.content import Course
from qualification.courses.real_items import RealItem
from qualification.marks import item_points
from qualification.models import Attempt, AttemptPurpose, Qualification, Try

GRACE = timedelta(seconds=30)
"""What was saved until so long after the end counts: the network may be slow."""


def tries_of(attempt: Attempt) -> QuerySet[Try]:
    """Its tries in the order of the form, loaded with annotation, item and project."""
    rows = attempt.tries.select_related("annotation__item__project", "annotation__item__root", "annotation__author")
    return rows.order_by("form_place")


def open_try(
    qualification: Qualification, real: RealItem, *, trial: bool, by: User, now: datetime, **about: Any
) -> Try:
    """A new try at an item of a course; NotFound if the project has it no longer."""
    item = real_items.item_of(qualification.project, real)
    if item is None:
        raise NotFound
    purpose = Purpose.TRIAL if trial else Purpose.QUIZ
    return tries.begin(item, real.activity, purpose=purpose, by=by, now=now, **about)


def try_at(attempt: Attempt, place: int, real: RealItem, *, now: datetime) -> Try:
    """The try at a place of the form; a new one if there is none yet."""
    held = tries_of(attempt).filter(form_place=place).first()
    if held is not None:
        return held
    trial = attempt.purpose == AttemptPurpose.TRIAL
    about = {"attempt": attempt, "form_place": place}
    return open_try(attempt.qualification, real, trial=trial, by=attempt.user, now=now, **about)


def answer_of(held: Try) -> dict[str, int]:
    """What is stored as the answer at its place."""
    return {"annotation": held.annotation_id}


def drafts_as_answers(attempt: Attempt, *, now: datetime) -> dict[int, dict[str, int]]:
    """Answer open tries with the drafts that were saved in time and pass form and check; by place, what is answered.

    A try of which something is answered counts with that, whether it is finished or not.
    """
    latest = None if attempt.ends_at is None else attempt.ends_at + GRACE
    found = {}
    for held in tries_of(attempt):
        work = tries.work_of_try(held)
        if held.annotation.completed_at is None:
            work = _with_drafts(held, work, latest, now)
        if work.answers and held.form_place is not None:
            found[held.form_place] = answer_of(held)
    return found


def _with_drafts(held: Try, work: Work, latest: datetime | None, now: datetime) -> Work:
    while isinstance(step := work.following, Step):
        draft = work.draft(step.address)
        if draft is None or (latest is not None and draft.saved_at > latest):
            return work
        payload = _payload(work, step.address, draft.data)
        if payload is None:
            return work
        key, seen, hold = randomness.handle(), work.seen_at(step.address), tries.hold_of_try(held)
        try:
            work = committing.commit(work, step.address, payload, hold=hold, key=key, seen=seen, now=now).work
        except Refused:
            return work
    committing.finish(work, now=now)
    return work


def _payload(work: Work, step: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """What a draft says, if the form of its step accepts it."""
    fields = {name: value if isinstance(value, list) else [value] for name, value in data.items()}
    form = registry.form_of(work.protocol.key, step)(MultiValueDict(fields))
    return dict(form.payload()) if form.is_valid() else None


def worth_of(attempt: Attempt, course: Course) -> dict[int, Fraction]:
    """By place of the form, the points, 0 to 1, of what was answered in the work screen, as the course has it now."""
    items = course.items()
    found: dict[int, Fraction] = {}
    if not course.real_items():
        return found
    for held in tries_of(attempt):
        place = held.form_place
        real = items.get(attempt.form[place][1]) if place is not None else None
        if place is not None and isinstance(real, RealItem):
            found[place] = points_of(held, real)
    return found


def points_of(held: Try, real: RealItem) -> Fraction:
    """The points, 0 to 1, of what a try says by now."""
    return item_points(scores_of(held, real))


def scores_of(held: Try, real: RealItem) -> tuple[Score, ...]:
    """Each score of what a try says by now, against the best reference."""
    annotation, item = held.annotation, held.annotation.item
    activity = tries.activity_of_try(held)
    references = [real_items.reference_record(activity, each) for each in real.references]
    answer = AnnotationRecord(activity.key, loading.said_of(activity, _responses(held)))
    protocol = registry.get(item.project.protocol)
    return protocol.grade(annotation.activity, loading.item_record(item), answer, references)


def _responses(held: Try) -> Iterable[Response]:
    return Response.objects.filter(annotation=held.annotation_id).order_by("pk")
