"""An item on the real screen is opened once, answered once and graded once, whatever comes at one moment."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError

from annotation import randomness
from annotation.models import Annotation, Event, Purpose, Role
from qualification.courses import exam_tries, sitting, working
from qualification.courses.content import Course, ExamBlock
from qualification.courses.sitting import GRACE, ExamOver
from qualification.models import Attempt, AttemptAnswer, AttemptState, Grant, Try
from tests.builders import BAD, Worker
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import NOON, join
from tests.qualification.courses.building import prepare, real_item, rejected_for_exams
from tests.races.rigs.crowd import study, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
END = timedelta(minutes=30) + GRACE
THREADS = 20


@pytest.fixture
def attempt(tmp_path) -> Attempt:
    """Alice begins an exam of one question, which is ambiguous."""
    made = study(tmp_path, items=3, slots=1)
    ivo, lena = join(made, "ivo"), join(made, "lena", Role.LEAD)
    rejected = [rejected_for_exams(Worker(ivo, made), by=lena, now=NOON) for _each in range(2)]
    pool = tuple(real_item(each, f"asked-{n}") for n, each in enumerate(rejected))
    block = ExamBlock(key="task", title="The task", draw=1, mark="1", pool=pool)
    row, alice = QualificationFactory(project=made), join(made, "alice")
    CourseVersionFactory(qualification=row, course=Course(blocks=(block,), attempts=1, minutes=30))
    prepare(alice, row)
    return sitting.issue(alice, row, now=NOON)


def opened(attempt: Attempt) -> int | None:
    try:
        held = working.begin_item(Attempt.objects.get(pk=attempt.pk), now=NOON)
    except IntegrityError:
        return None
    return held.pk


def test_many_devices_that_open_it_at_once_hold_one_try(attempt):
    assert len(set(together([partial(opened, attempt)] * THREADS))) == 1
    assert Annotation.objects.filter(purpose=Purpose.QUIZ).count() == Try.objects.count() == 1


@pytest.mark.postgresql_only  # on SQLite one transaction writes at a time, with this lock or without
def test_the_control_without_the_lock_only_the_constraints_are_left(attempt, monkeypatch):
    monkeypatch.setattr(sitting, "lock_attempt", lambda row: row)
    assert None in together([partial(opened, attempt)] * THREADS)
    assert Try.objects.count() == 1


def sent(held: Try, *, late: timedelta = timedelta(0)) -> str:
    """Send the answer in the last moment."""
    held = exam_tries.tries_of(Attempt.objects.get(pk=held.attempt_id)).get(pk=held.pk)
    try:
        working.commit_in_exam(held, "question", BAD, key=randomness.handle(), seen=0, now=NOON + END + late)
    except ExamOver:
        return "over"
    return "sent"


def end(_held: Try) -> int:
    return sitting.end_overdue(now=NOON + END + timedelta(seconds=1))


def test_the_answer_and_the_end_of_the_time_grade_the_attempt_once(attempt):
    held = working.begin_item(attempt, now=NOON)
    said, *_others = together([partial(sent, held), *[partial(end, held)] * 7])
    attempt.refresh_from_db()
    assert attempt.state == (AttemptState.GRADED if said == "sent" else AttemptState.EXPIRED)
    assert Event.objects.filter(kind__in=["attempt.graded", "attempt.expired"]).count() == 1
    assert AttemptAnswer.objects.count() == Grant.objects.count() == (said == "sent")


def test_an_answer_that_is_too_late_changes_nothing_whoever_comes_first(attempt):
    held = working.begin_item(attempt, now=NOON)
    said, *_others = together([partial(sent, held, late=timedelta(seconds=1)), *[partial(end, held)] * 7])
    attempt.refresh_from_db()
    assert (said, attempt.marks) == ("over", ["0"])
    assert not Grant.objects.exists()
