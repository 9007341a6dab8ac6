"""Beginning a course, its guidelines and its tutorial: what comes before the exam."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

from django.db import transaction

from annotation import events
from annotation.errors import NotEligible, NotFound, WrongMove
from annotation.membership import lock_person
from annotation.models import Role, User
from qualification.courses import content, grading, standing
from qualification.courses.content import ChoiceItem, CourseItem
from qualification.courses.real_items import RealItem
from qualification.courses.standing import NextStep
from qualification.marks import BlockPoints
from qualification.models import Enrolment, Qualification, TutorialAnswer


@transaction.atomic
def enrol(user: User, qualification: Qualification, *, now: datetime) -> Enrolment:
    """Begin the course as it is published now, unless the person has begun it already.

    NotEligible for somebody who may not work in the project, WrongMove where there is no course.
    """
    check_candidate(user, qualification)
    stands = standing.of_person(user, qualification, now=now)
    if stands is None:
        raise NotFound
    if stands.enrolment is not None:
        return stands.enrolment
    if stands.next != NextStep.BEGIN:
        raise WrongMove
    made = Enrolment.objects.create(course=stands.version, user=user, begun_at=now)
    said = {"user": user.pk, "version": stands.version.version}
    events.record("course.taken", qualification, by=user, now=now, **said)
    return made


def check_candidate(user: User, qualification: Qualification) -> None:
    """Lock the person, and raise NotEligible unless they are somebody who may work in the project and has consented."""
    stands = lock_person(user, qualification.project)
    if not stands.roles & {Role.ANNOTATOR, Role.EXPERT}:
        raise NotEligible(reason="leads_cannot_claim" if Role.LEAD in stands.roles else "not_a_member")
    if not stands.consented:
        raise NotEligible(reason="consent_missing")


def mark_read(enrolment: Enrolment, *, now: datetime) -> None:
    """The person has read the guidelines; the first time counts."""
    if Enrolment.objects.filter(pk=enrolment.pk, read_at=None).update(read_at=now):
        enrolment.read_at = now


def answer_tutorial(enrolment: Enrolment, item: str, answer: Sequence[int], *, now: datetime) -> Fraction:
    """Mark an answer (the places of the chosen options) to an item of the tutorial, any number of times.

    NotFound for an item that the tutorial does not have, WrongMove for an answer that is none.
    """
    found = tutorial_item(enrolment, item)
    said = checked(found, answer)
    points = grading.mark(found, said)
    TutorialAnswer.objects.create(enrolment=enrolment, item=item, answer=said, points=str(points), at=now)
    return points


def tutorial_points(enrolment: Enrolment) -> BlockPoints | None:
    """The points of the last answer to each item of the tutorial, of as many as are answered; None if none is."""
    rows = enrolment.tutorial_answers.order_by("pk").values_list("item", "points")
    latest = {item: Fraction(points) for item, points in rows}
    return BlockPoints.from_items(latest.values()) if latest else None


def tutorial_item(enrolment: Enrolment, key: str) -> CourseItem:
    """An item of the tutorial by its key; NotFound if it has none."""
    course = content.read(enrolment.course.content)
    for item in course.tutorial:
        if item.key == key:
            return item
    raise NotFound


def real_tutorial_item(enrolment: Enrolment, key: str) -> RealItem:
    """An item of the tutorial that is worked on in the work screen; NotFound if it has none with this key."""
    item = tutorial_item(enrolment, key)
    if not isinstance(item, RealItem):
        raise NotFound
    return item


def checked(item: CourseItem, answer: Sequence[int]) -> list[int]:
    """The chosen places, each once and in order; WrongMove for none, too many, or one that is out of range.

    NotFound for an item that has no options.
    """
    if not isinstance(item, ChoiceItem):
        raise NotFound
    chosen = sorted(set(answer))
    if not chosen or (len(chosen) > 1 and not item.several) or not set(chosen) <= set(range(len(item.options))):
        raise WrongMove
    return chosen
