"""However many start an exam at once, one attempt is issued; it is graded once, by whoever ends it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError

from annotation.models import Event
from qualification.courses import editing, enrolling, sitting
from qualification.courses.sitting import GRACE, ExamOver
from qualification.models import Attempt, AttemptState, Grant
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import NOON, join
from tests.proving import size
from tests.qualification.courses.building import RIGHT, block, course, prepare
from tests.races.rigs.crowd import study, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
THREADS, EACH = 50, size(4, 20)
END = timedelta(minutes=30) + GRACE


@pytest.fixture
def reading(tmp_path):
    made = QualificationFactory(project=study(tmp_path, items=1, slots=1))
    CourseVersionFactory(qualification=made, course=course(block("task", mark="1"), minutes=30))
    return made


@pytest.fixture
def alice(reading):
    found = join(reading.project, "alice")
    prepare(found, reading)
    return found


def start(person, qualification, times):
    try:
        return {sitting.issue(person, qualification, now=NOON).uuid for _ in range(times)}
    except IntegrityError:
        return None


def test_of_hundreds_of_starts_at_once_one_issues_an_attempt_with_one_form(reading, alice):
    issued = together([partial(start, alice, reading, EACH)] * THREADS)
    assert {uuid for each in issued for uuid in each} == {Attempt.objects.get().uuid}
    assert Event.objects.filter(kind="attempt.issued").count() == 1


@pytest.mark.postgresql_only  # on SQLite one transaction writes at a time, with this lock or without
def test_the_control_without_the_lock_only_the_constraints_are_left(reading, alice, monkeypatch):
    monkeypatch.setattr(enrolling, "check_candidate", lambda person, qualification: None)
    issued = together([partial(start, alice, reading, 1)] * THREADS)
    assert None in issued
    assert Attempt.objects.count() == 1


def last_answer(attempt):
    try:
        return sitting.answer(attempt, 1, RIGHT, now=NOON + END)
    except ExamOver:
        return None


def end(_attempt):
    return sitting.end_overdue(now=NOON + END + timedelta(seconds=1))


def test_the_last_answer_and_the_end_of_the_time_grade_the_attempt_once(reading, alice):
    attempt = sitting.issue(alice, reading, now=NOON)
    sitting.answer(attempt, 0, RIGHT, now=NOON)
    together([partial(last_answer, attempt), *[partial(end, attempt)] * 7])
    attempt.refresh_from_db()
    assert attempt.state == AttemptState.GRADED
    assert Event.objects.filter(kind="attempt.graded").count() == Grant.objects.count() == 1


def test_an_answer_that_is_sent_many_times_at_once_is_one(reading, alice):
    attempt = sitting.issue(alice, reading, now=NOON)
    chosen = [[number % 3] for number in range(20)]
    together([partial(sitting.answer, attempt, 0, each, now=NOON) for each in chosen])
    assert attempt.answers.count() == 1


def test_two_leads_who_begin_to_edit_at_once_edit_one_draft(reading):
    drafts = together([partial(editing.edit, reading, by=None, now=NOON)] * 20)
    assert len({draft.pk for draft in drafts}) == 1
