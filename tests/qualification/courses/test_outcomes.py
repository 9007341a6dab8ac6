"""What follows from an attempt: admitted, extra training, another attempt, not admitted."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import NotEligible, WrongMove
from annotation.models import Event
from qualification import granting
from qualification.courses import enrolling, sitting, standing
from qualification.courses.standing import NextStep
from qualification.models import Attempt, AttemptState, Grant, GrantOrigin, Outcome
from tests.factories.people import MembershipFactory, UserFactory
from tests.factories.qualification import CourseVersionFactory, GrantFactory
from tests.people import NOON
from tests.qualification.courses.building import RIGHT, block, course, prepare, sit, three_blocks

DAY = timedelta(hours=24)


def next_of(person, qualification, *, now=NOON):
    return standing.of_person(person, qualification, now=now).next


def test_alice_is_led_through_the_course_and_admitted(reading, published, alice):
    assert next_of(alice, reading) == NextStep.BEGIN
    enrolment = enrolling.enrol(alice, reading, now=NOON)
    assert next_of(alice, reading) == NextStep.READ
    enrolling.mark_read(enrolment, now=NOON)
    assert next_of(alice, reading) == NextStep.TUTORIAL
    for item in ("tutorial-0", "tutorial-1"):
        enrolling.answer_tutorial(enrolment, item, RIGHT, now=NOON)
    assert next_of(alice, reading) == NextStep.EXAM
    attempt = sit(alice, reading)
    assert (attempt.state, attempt.outcome) == (AttemptState.GRADED, Outcome.ADMITTED)
    grant = Grant.objects.get()
    assert (grant.user, grant.origin, grant.by) == (alice, GrantOrigin.EXAM, None)
    assert granting.lacking(alice, reading.project, [reading.key]) == ()
    assert next_of(alice, reading) == NextStep.NONE
    kinds = Event.objects.filter(project_id=reading.project_id).order_by("pk").values_list("kind", flat=True)
    assert list(kinds)[-3:] == ["attempt.issued", "attempt.graded", "grant.given"]


def test_whoever_fails_only_the_last_block_trains_and_sits_that_block_again_with_new_items(reading, published, alice):
    prepare(alice, reading)
    first = sit(alice, reading, fail=("task",))
    assert first.outcome == Outcome.EXTRA_TRAINING
    stands = standing.of_person(alice, reading, now=NOON + DAY)
    assert [item.key for item in stands.to_do] == ["tutorial-0"]
    assert (stands.next, stands.to_sit) == (NextStep.TRAINING, ("task",))
    enrolling.answer_tutorial(stands.enrolment, "tutorial-0", RIGHT, now=NOON + DAY)
    second = sit(alice, reading, now=NOON + DAY)
    assert {key for key, _item in second.form} == {"task"}
    assert not {item for _block, item in second.form} & {item for _block, item in first.form}
    assert second.outcome == Outcome.ADMITTED


def test_training_needs_no_wait_but_has_to_be_done(reading, published, alice):
    prepare(alice, reading)
    sit(alice, reading, fail=("task",))
    with pytest.raises(WrongMove):
        sitting.issue(alice, reading, now=NOON)
    later = NOON + timedelta(seconds=1)
    enrolling.answer_tutorial(standing.of_person(alice, reading, now=later).enrolment, "tutorial-0", RIGHT, now=later)
    assert sitting.issue(alice, reading, now=later).n == 2


def test_failing_after_the_training_is_the_end_or_another_attempt_where_one_is_left(reading, alice, bob):
    CourseVersionFactory(qualification=reading, course=three_blocks(attempts=2))
    prepare(alice, reading)
    sit(alice, reading, fail=("task",))
    prepare(alice, reading, now=NOON + DAY)
    assert sit(alice, reading, fail=("task",), now=NOON + DAY).outcome == Outcome.NOT_ADMITTED
    assert next_of(alice, reading, now=NOON + 9 * DAY) == NextStep.NONE


def test_with_three_attempts_the_third_follows_the_failed_training(reading, alice):
    pools = [block(key, pool=8, extra=key == "task") for key in ("background", "task")]
    CourseVersionFactory(qualification=reading, course=course(*pools, attempts=3))
    prepare(alice, reading)
    sit(alice, reading, fail=("task",))
    prepare(alice, reading, now=NOON + DAY)
    second = sit(alice, reading, fail=("task",), now=NOON + DAY)
    assert second.outcome == Outcome.AGAIN
    assert next_of(alice, reading, now=NOON + DAY) == NextStep.WAIT


def test_between_two_attempts_one_waits_until_exactly_the_time_has_passed(reading, published, alice):
    prepare(alice, reading)
    sit(alice, reading, fail=("reading",))
    assert next_of(alice, reading, now=NOON + DAY - timedelta(microseconds=1)) == NextStep.WAIT
    with pytest.raises(WrongMove):
        sitting.issue(alice, reading, now=NOON + DAY - timedelta(microseconds=1))
    assert next_of(alice, reading, now=NOON + DAY) == NextStep.EXAM
    second = sit(alice, reading, now=NOON + DAY)
    assert {key for key, _item in second.form} == {"reading"}
    assert second.outcome == Outcome.ADMITTED


def test_after_the_last_attempt_nothing_follows(reading, published, alice):
    prepare(alice, reading)
    sit(alice, reading, fail=("reading",))
    assert sit(alice, reading, fail=("reading",), now=NOON + DAY).outcome == Outcome.NOT_ADMITTED
    assert next_of(alice, reading, now=NOON + 9 * DAY) == NextStep.NONE
    assert not Grant.objects.exists()


def test_points_that_are_equal_to_the_mark_pass(reading, alice, bob):
    CourseVersionFactory(qualification=reading, course=course(block("task", mark="1")))
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    sitting.answer(attempt, 0, [1], now=NOON)
    assert sitting.answer(attempt, 1, [0], now=NOON).outcome == Outcome.ADMITTED


def test_what_a_lead_has_decided_ends_the_course_and_undoing_it_does_not(reading, published, alice, lena):
    grant = GrantFactory(qualification=reading, user=alice)
    assert next_of(alice, reading) == NextStep.NONE
    granting.undo_giving(reading, grant.submission_key, by=lena, now=NOON, reason="undone")
    assert next_of(alice, reading) == NextStep.BEGIN
    other = GrantFactory(qualification=reading, user=alice)
    granting.revoke(other, reason="Too careless.", after=0, by=lena, now=NOON)
    assert next_of(alice, reading) == NextStep.NONE


def test_leads_and_people_without_consent_are_no_candidates(reading, published, lena, nq):
    with pytest.raises(NotEligible):
        enrolling.enrol(lena, reading, now=NOON)
    stranger = UserFactory(username="stranger")
    MembershipFactory(project=nq, user=stranger)
    with pytest.raises(NotEligible):
        enrolling.enrol(stranger, reading, now=NOON)
    assert not Attempt.objects.exists()
