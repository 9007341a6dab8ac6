"""One participant of a recruitment site is one candidate, whatever the accounts, also when they come at once."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.errors import NotEligible, ParticipantKnown, Refused
from annotation.models import User
from qualification import recruiting
from qualification.courses import sitting
from qualification.models import Attempt, Participant
from tests.factories.people import UserFactory
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import NOON, join
from tests.qualification.courses.building import block, course, prepare
from tests.races.rigs.crowd import study, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
PERSON, ANOTHER = {"PROLIFIC_PID": "p-1"}, {"PROLIFIC_PID": "p-2"}
ACCOUNTS = 8


@pytest.fixture
def reading(tmp_path):
    made = QualificationFactory(project=study(tmp_path, items=1, slots=1))
    CourseVersionFactory(qualification=made, course=course(block("task", mark="1"), attempts=2))
    return made


def come(qualification, person, parameters=PERSON):
    """Come from the recruitment site, and go through the course into the exam; whether it was refused, and how."""
    try:
        recruiting.note(qualification.project, user=person, parameters=parameters, now=NOON)
        prepare(person, qualification)
        sitting.issue(person, qualification, now=NOON)
    except Refused as refused:
        return type(refused)
    return None


def test_of_many_accounts_of_one_participant_at_once_one_takes_the_exam(reading):
    people = [join(reading.project, f"account-{n}") for n in range(ACCOUNTS)]
    came = together([partial(come, reading, person) for person in people])
    assert sorted(map(str, came)) == sorted([str(None), *[str(ParticipantKnown)] * (ACCOUNTS - 1)])
    assert Attempt.objects.count() == Participant.objects.count() == 1


def test_the_control_as_many_participants_take_it_each_once(reading):
    people = [join(reading.project, f"account-{n}") for n in range(ACCOUNTS)]
    said = [{"PROLIFIC_PID": f"p-{n}"} for n in range(ACCOUNTS)]
    together([partial(come, reading, *each) for each in zip(people, said, strict=True)])
    assert Attempt.objects.count() == Participant.objects.count() == ACCOUNTS


def test_who_has_begun_a_course_stays_the_participant_that_they_were(reading):
    first, second = (join(reading.project, name) for name in ("first", "second"))
    assert come(reading, first) is None
    assert come(reading, first, ANOTHER) is ParticipantKnown  # or else p-1 could come again with another account
    assert come(reading, second) is ParticipantKnown
    assert Attempt.objects.count() == 1


def test_before_that_the_latest_visit_counts(reading):
    person = join(reading.project, "first")
    for said in (PERSON, ANOTHER):
        recruiting.note(reading.project, user=person, parameters=said, now=NOON)
    assert Participant.objects.get().external_id == "p-2"


def take_other_id(qualification, person):
    try:
        recruiting.note(qualification.project, user=person, parameters=ANOTHER, now=NOON)
    except ParticipantKnown:
        return "refused"
    return "changed"


def test_beginning_the_course_and_coming_as_somebody_else_at_once_leave_one_candidate(reading):
    person, second = (join(reading.project, name) for name in ("first", "second"))
    recruiting.note(reading.project, user=person, parameters=PERSON, now=NOON)
    _, how = together([partial(prepare, person, reading), partial(take_other_id, reading, person)])
    known = Participant.objects.get().external_id
    assert known == ("p-1" if how == "refused" else "p-2")
    assert come(reading, second, {"PROLIFIC_PID": known}) is ParticipantKnown


def test_somebody_who_is_no_member_takes_no_exam_under_any_id(reading):
    assert come(reading, UserFactory(username="stranger")) is NotEligible
    assert not Attempt.objects.exists()
    assert User.objects.filter(username="stranger").exists()
