"""Answering the items of an exam or a tutorial that are worked on in the real work screen."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Unpack

from django.db import transaction

from annotation.engine.committing import AnswerSent, Committed
from annotation.engine.drafts import PageLoad
from annotation.errors import AlreadyClosed
from annotation.membership import lock_person
from annotation.models import Draft
from qualification import tries
from qualification.courses import editing, enrolling, exam_tries, sitting
from qualification.courses.real_items import RealItem
from qualification.courses.sitting import ExamOver
from qualification.models import Attempt, Enrolment, Try, TutorialAnswer


def begin_item(attempt: Attempt, *, now: datetime) -> Try | None:
    """The try at the first place of the form that has no answer; None if that is multiple choice.

    ExamOver once the attempt is over.
    """
    if _next_item(attempt)[1] is None:
        return None
    with transaction.atomic():
        row = sitting.lock_attempt(attempt)
        place, real = _next_item(row)
        if real is None or sitting.is_closed(row, now):
            raise ExamOver
        return exam_tries.try_at(row, place, real, now=now)


def _next_item(attempt: Attempt) -> tuple[int, RealItem | None]:
    """The first place without an answer, and its item if that is worked on in the work screen."""
    place = attempt.answers.count()
    item = editing.read(attempt.course).items()[attempt.form[place][1]] if place < len(attempt.form) else None
    return place, item if isinstance(item, RealItem) else None


@transaction.atomic
def commit_in_exam(held: Try, step: str, payload: dict[str, Any], **sent: Unpack[AnswerSent]) -> Committed:
    """Write the answer to a step; the last one answers the place of the form, and at the last place ends the attempt.

    Raises what `tries.commit_try` raises, and ExamOver once the attempt is over.
    """
    row, now = _locked(held), sent["now"]
    over = ExamOver() if sitting.is_closed(row, now) else None
    done = tries.commit_try(held, step, payload, refused=over, **sent)
    if not done.repeated and done.work.following is None and held.form_place is not None:
        sitting.answer_in_work(row, held.form_place, exam_tries.answer_of(held), now=now)
    return done


@transaction.atomic
def save_in_exam(
    held: Try, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime
) -> Draft:
    """Save the draft of a step while the attempt is open: saved in time it becomes the answer, later it is only kept.

    Raises what `tries.save_try` raises, and AlreadyClosed once the attempt is graded or voided.
    """
    row = _locked(held)
    if not sitting.is_open(row):
        raise ExamOver
    return tries.save_try(held, step, data, tab=tab, seq=seq, seen=seen, now=now)


@transaction.atomic
def begin_tutorial_item(enrolment: Enrolment, key: str, *, now: datetime) -> Try:
    """The person's open try at an item of the tutorial, or a new one: any number of times."""
    real = enrolling.real_tutorial_item(enrolment, key)
    qualification = enrolment.course.qualification
    lock_person(enrolment.user, qualification.project)
    mine = enrolment.tries.select_related("annotation").filter(course_item=key)
    if (held := mine.filter(annotation__completed_at__isnull=True).first()) is not None:
        return held
    about = {"enrolment": enrolment, "course_item": key}
    return exam_tries.open_try(qualification, real, trial=False, by=enrolment.user, now=now, **about)


@transaction.atomic
def commit_in_tutorial(held: Try, step: str, payload: dict[str, Any], **sent: Unpack[AnswerSent]) -> Committed:
    """Write the answer to a step; the last one is marked. Raises what `tries.commit_try` raises."""
    if held.enrolment is None:
        raise AlreadyClosed
    done = tries.commit_try(held, step, payload, **sent)
    if not done.repeated and done.work.following is None:
        real = enrolling.real_tutorial_item(held.enrolment, held.course_item)
        points = exam_tries.points_of(held, real)
        said = {
            "item": held.course_item,
            "answer": exam_tries.answer_of(held),
            "points": str(points),
            "at": sent["now"],
        }
        TutorialAnswer.objects.create(enrolment=held.enrolment, **said)
    return done


def _locked(held: Try) -> Attempt:
    if held.attempt is None:
        raise AlreadyClosed
    return sitting.lock_attempt(held.attempt)
