"""People who take courses, and steps that they take."""

from __future__ import annotations

import pytest

from qualification.courses import enrolling, sitting, standing
from tests.courses import RIGHT, answers_for, three_blocks
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import NOON


@pytest.fixture
def reading(nq):
    return QualificationFactory(project=nq)


@pytest.fixture
def published(reading):
    return CourseVersionFactory(qualification=reading, course=three_blocks())


def prepare(person, qualification, *, now=NOON):
    """Enrolled, the guidelines read, and all of the tutorial that is left answered."""
    enrolment = enrolling.enrol(person, qualification, now=now)
    enrolling.mark_read(enrolment, now=now)
    for item in standing.of_person(person, qualification, now=now).to_do:
        enrolling.answer_tutorial(enrolment, item.key, RIGHT, now=now)
    return enrolment


def sit(person, qualification, *, fail=(), now=NOON):
    """An attempt answered to its end, with wrong answers in the blocks `fail`."""
    attempt = sitting.issue(person, qualification, now=now)
    for place, chosen in enumerate(answers_for(attempt, fail=fail)):
        attempt = sitting.answer(attempt, place, chosen, now=now)
    return attempt
