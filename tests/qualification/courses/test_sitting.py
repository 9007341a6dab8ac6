"""An attempt: one form, one clock, each answer once, and grading at the end of the time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import NotFound, WrongMove
from annotation.models import Event
from qualification.courses import sitting
from qualification.courses.sitting import GRACE, ExamOver
from qualification.models import AttemptDraft, AttemptState, Grant, Outcome
from tests.factories.qualification import CourseVersionFactory, ExtraTimeFactory
from tests.people import NOON
from tests.qualification.courses.building import RIGHT, WRONG, block, course, prepare

LATER = timedelta(minutes=30)
MOMENT = timedelta(microseconds=1)


@pytest.fixture
def timed(reading):
    return CourseVersionFactory(
        qualification=reading, course=course(block("task", draw=3, mark="2", pool=9), minutes=30, extension=10)
    )


@pytest.fixture
def attempt(reading, timed, alice):
    prepare(alice, reading)
    return sitting.issue(alice, reading, now=NOON)


def test_reloads_and_other_devices_get_the_same_form_and_clock(reading, attempt, alice):
    again = sitting.issue(alice, reading, now=NOON + LATER)
    assert (again.pk, again.form, again.ends_at) == (attempt.pk, attempt.form, NOON + LATER)
    assert Event.objects.filter(kind="attempt.issued").count() == 1


def test_two_people_get_forms_of_their_own(reading, attempt, bob):
    prepare(bob, reading)
    other = sitting.issue(bob, reading, now=NOON)
    assert other.seed != attempt.seed
    assert len({item for _block, item in other.form}) == 3


def test_the_first_answer_is_the_last(attempt):
    sitting.answer(attempt, 0, WRONG, now=NOON)
    sitting.answer(attempt, 0, RIGHT, now=NOON)
    assert list(attempt.answers.values_list("place", "answer")) == [(0, WRONG)]


def test_nobody_answers_ahead(attempt):
    with pytest.raises(NotFound):
        sitting.answer(attempt, 1, RIGHT, now=NOON)


@pytest.mark.parametrize("chosen", [[], [0, 1], [3], [-1]])
def test_none_two_where_one_is_right_and_options_that_do_not_exist_are_no_answers(attempt, chosen):
    with pytest.raises(WrongMove):
        sitting.answer(attempt, 0, chosen, now=NOON)
    assert not attempt.answers.exists()


def test_an_answer_counts_until_the_grace_is_over(attempt):
    sitting.answer(attempt, 0, RIGHT, now=NOON + LATER + GRACE)
    assert attempt.answers.count() == 1
    over = sitting.answer(attempt, 1, RIGHT, now=NOON + LATER + GRACE + MOMENT)
    assert over.state == AttemptState.GRADED
    assert attempt.answers.count() == 1
    assert over.marks == ["1", "0", "0"]


def test_the_draft_that_is_there_when_the_time_ends_becomes_the_answer(attempt):
    sitting.answer(attempt, 0, RIGHT, now=NOON)
    sitting.keep_draft(attempt, 1, RIGHT, now=NOON + LATER + GRACE)
    assert sitting.end_overdue(now=NOON + LATER + GRACE) == 0
    assert sitting.end_overdue(now=NOON + LATER + GRACE + MOMENT) == 1
    attempt.refresh_from_db()
    assert (attempt.state, attempt.outcome, attempt.marks) == (AttemptState.GRADED, Outcome.ADMITTED, ["1", "1", "0"])
    assert attempt.finished_at == NOON + LATER + GRACE
    assert Grant.objects.count() == 1


def test_a_draft_that_is_saved_later_is_kept_unseen(attempt):
    sitting.answer(attempt, 0, RIGHT, now=NOON)
    sitting.keep_draft(attempt, 1, RIGHT, now=NOON + LATER + GRACE + MOMENT)
    sitting.end_overdue(now=NOON + LATER + GRACE + MOMENT)
    attempt.refresh_from_db()
    assert attempt.marks == ["1", "0", "0"]
    assert AttemptDraft.objects.count() == 1


def test_a_draft_that_is_no_answer_is_none(attempt):
    sitting.keep_draft(attempt, 0, [], now=NOON)
    sitting.end_overdue(now=NOON + LATER + GRACE + MOMENT)
    attempt.refresh_from_db()
    assert (attempt.state, attempt.outcome) == (AttemptState.EXPIRED, Outcome.AGAIN)


def test_letting_the_time_run_out_uses_up_the_attempt(reading, attempt, alice):
    sitting.end_overdue(now=NOON + 2 * LATER)
    day = NOON + timedelta(hours=25)
    second = sitting.issue(alice, reading, now=day)
    sitting.end_overdue(now=day + 2 * LATER)
    second.refresh_from_db()
    assert (second.n, second.outcome) == (2, Outcome.NOT_ADMITTED)


def test_the_time_is_extended_once_as_the_course_allows(attempt):
    extended = sitting.extend(attempt, now=NOON + LATER - MOMENT)
    assert extended.ends_at == NOON + LATER + timedelta(minutes=10)
    assert sitting.extend(attempt, now=NOON + LATER).ends_at == extended.ends_at


def test_when_the_time_is_over_it_can_not_be_extended(attempt):
    with pytest.raises(WrongMove):
        sitting.extend(attempt, now=NOON + LATER)


def test_a_lead_gives_a_person_more_time_beforehand(reading, timed, alice):
    ExtraTimeFactory(qualification=reading, user=alice, minutes=15)
    prepare(alice, reading)
    assert sitting.issue(alice, reading, now=NOON).ends_at == NOON + timedelta(minutes=45)


def test_handing_in_early_gives_what_is_missing_no_points(attempt):
    sitting.answer(attempt, 0, RIGHT, now=NOON)
    over = sitting.hand_in(attempt, now=NOON)
    assert (over.state, over.marks) == (AttemptState.GRADED, ["1", "0", "0"])
    assert sitting.hand_in(attempt, now=NOON).finished_at == NOON


def test_nothing_is_answered_once_it_is_over(attempt):
    sitting.hand_in(attempt, now=NOON)
    with pytest.raises(ExamOver):
        sitting.answer(attempt, 0, RIGHT, now=NOON)


@pytest.mark.parametrize("chosen", [RIGHT, WRONG])
def test_until_the_last_answer_right_and_wrong_ones_run_the_same_statements(
    reading, attempt, chosen, django_assert_num_queries
):
    with django_assert_num_queries(STATEMENTS_OF_AN_ANSWER):
        sitting.answer(attempt, 0, chosen, now=NOON)


STATEMENTS_OF_AN_ANSWER = 6


def test_an_attempt_without_a_limit_never_ends_by_itself(reading, alice):
    CourseVersionFactory(qualification=reading, course=course())
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    assert attempt.ends_at is None
    assert sitting.end_overdue(now=NOON + timedelta(days=400)) == 0
