"""Leads give more time, and void attempts that were spoiled; both with a reason and an undo."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import ReasonMissing, WrongMove
from annotation.models import Event
from qualification.courses import deciding, sitting, standing
from qualification.courses.standing import NextStep
from qualification.models import ExtraTime, Grant, GrantState
from tests.factories.qualification import CourseVersionFactory
from tests.people import NOON
from tests.qualification.courses.building import prepare, sit, three_blocks

WHY = {"reason": "The site was down.", "by": None, "now": NOON}


@pytest.fixture
def timed(reading):
    return CourseVersionFactory(qualification=reading, course=three_blocks(minutes=30))


def minutes_of(attempt):
    return (attempt.ends_at - attempt.issued_at) / timedelta(minutes=1)


def test_more_time_counts_for_what_is_issued_from_then_on(reading, timed, alice, bob):
    prepare(alice, reading)
    deciding.give_time(reading, alice, minutes=15, **WHY)
    assert minutes_of(sitting.issue(alice, reading, now=NOON)) == 45
    prepare(bob, reading)
    assert minutes_of(sitting.issue(bob, reading, now=NOON)) == 30
    assert Event.objects.get(kind="exam.more_time").data["before"] == 0


def test_undoing_it_gives_the_minutes_from_before(reading, timed, alice):
    first = deciding.give_time(reading, alice, minutes=15, **WHY)
    second = deciding.give_time(reading, alice, minutes=40, **WHY)
    with pytest.raises(WrongMove):
        deciding.take_time_back(first, **WHY)
    assert deciding.take_time_back(second, **WHY).minutes == 15
    assert deciding.take_time_back(deciding.extra_time_of(alice, reading), **WHY).minutes == 40


def test_the_first_is_undone_to_nothing_and_a_repeated_form_gives_it_once(reading, timed, alice):
    for _twice in range(2):
        first = deciding.give_time(reading, alice, minutes=15, **WHY)
    assert ExtraTime.objects.count() == 1
    assert deciding.take_time_back(first, **WHY).minutes == 0


@pytest.mark.parametrize("reason", ["", " ", "...", "x" * 201])
def test_nothing_is_decided_without_a_reason(reading, published, alice, reason):
    prepare(alice, reading)
    attempt = sit(alice, reading)
    with pytest.raises(ReasonMissing):
        deciding.give_time(reading, alice, minutes=5, reason=reason, by=None, now=NOON)
    with pytest.raises(ReasonMissing):
        deciding.void(attempt, reason=reason, by=None, now=NOON)


def test_a_voided_attempt_does_not_count_and_the_next_has_new_items(reading, published, alice):
    prepare(alice, reading)
    first = sit(alice, reading, fail=("background",))
    for _twice in range(2):
        deciding.void(first, **WHY)
    assert Event.objects.filter(kind="attempt.voided").count() == 1
    stands = standing.of_person(alice, reading, now=NOON)
    assert (stands.next, stands.left) == (NextStep.EXAM, 2)
    second = sitting.issue(alice, reading, now=NOON)
    assert not {key for _block, key in first.form} & {key for _block, key in second.form}


def test_an_open_one_ends_at_once(reading, published, alice):
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    deciding.void(attempt, **WHY)
    with pytest.raises(sitting.ExamOver):
        sitting.answer(attempt, 0, [0], now=NOON)


def test_the_grant_stays_until_a_lead_decides(reading, published, alice):
    prepare(alice, reading)
    deciding.void(sit(alice, reading), **WHY)
    assert Grant.objects.get().state == GrantState.ACTIVE


def test_it_can_count_again_until_another_is_begun(reading, published, alice):
    prepare(alice, reading)
    first = deciding.void(sit(alice, reading, fail=("background",)), **WHY)
    again = deciding.count_again(first, by=None, now=NOON)
    assert standing.counting(alice, reading) == (again,)
    deciding.void(first, **WHY)
    sitting.issue(alice, reading, now=NOON)
    with pytest.raises(WrongMove):
        deciding.count_again(first, by=None, now=NOON)
