"""A wrong key is corrected: attempts are graded again, those who pass now are admitted, and nobody loses anything."""

from __future__ import annotations

import pytest

from annotation.errors import NotFound, ReasonMissing, StalePage, WrongMove
from annotation.models import Event
from qualification import granting
from qualification.courses import deciding, editing, regrading, sitting
from qualification.models import Attempt, Grant, GrantState, Outcome
from tests.factories.qualification import CourseVersionFactory, GrantFactory
from tests.people import NOON
from tests.qualification.courses.building import RIGHT, WRONG, block, choice, course, prepare, sit

HOW = {"was": [0], "reason": "The guidelines say the other.", "by": None, "now": NOON}


@pytest.fixture
def wrongly(reading):
    """One item is drawn of two, and one point passes: who answers the second option fails."""
    return CourseVersionFactory(qualification=reading, course=course(block("task", draw=1, mark="1", pool=3)))


def attempt_of(person, reading, chosen):
    prepare(person, reading)
    return sitting.answer(sitting.issue(person, reading, now=NOON), 0, chosen, now=NOON)


def key_of(attempt):
    return attempt.form[0][1]


def outcome_of(attempt):
    return Attempt.objects.get(pk=attempt.pk).outcome


def test_who_passes_by_the_corrected_key_is_admitted(reading, wrongly, alice):
    attempt = attempt_of(alice, reading, WRONG)
    assert attempt.outcome == Outcome.AGAIN
    [planned] = regrading.preview(wrongly, key_of(attempt), [1])
    assert (planned.before, planned.after, planned.admits) == (Outcome.AGAIN, Outcome.ADMITTED, True)
    assert not Grant.objects.exists()
    regrading.correct(wrongly, key_of(attempt), [1], **HOW)
    assert outcome_of(attempt) == Outcome.ADMITTED
    assert Grant.objects.get().user == alice
    wrongly.refresh_from_db()
    assert editing.read(wrongly).items()[key_of(attempt)].right == {1}
    told = Event.objects.get(kind="course.corrected").data
    assert (told["before"], told["after"], told["given"]) == ([0], [1], [alice.pk])
    assert told["attempts"] == [
        {"attempt": str(attempt.uuid), "user": alice.pk, "before": Outcome.AGAIN, "after": Outcome.ADMITTED}
    ]


def test_who_no_longer_passes_keeps_the_qualification(reading, wrongly, alice):
    attempt = attempt_of(alice, reading, RIGHT)
    regrading.correct(wrongly, key_of(attempt), [1], **HOW)
    assert outcome_of(attempt) == Outcome.AGAIN
    assert Grant.objects.get().state == GrantState.ACTIVE


def test_correcting_back_grades_back_and_takes_nothing(reading, wrongly, alice):
    attempt = attempt_of(alice, reading, WRONG)
    regrading.correct(wrongly, key_of(attempt), [1], **HOW)
    regrading.correct(wrongly, key_of(attempt), [0], **HOW | {"was": [1]})
    assert outcome_of(attempt) == Outcome.AGAIN
    assert Grant.objects.get().state == GrantState.ACTIVE
    wrongly.refresh_from_db()
    assert wrongly.corrections == {}


def test_somebody_about_whom_a_lead_decided_is_given_nothing(reading, wrongly, alice):
    attempt = attempt_of(alice, reading, WRONG)
    granting.revoke(GrantFactory(qualification=reading, user=alice), reason="No", after=0, by=None, now=NOON)
    [changed] = regrading.correct(wrongly, key_of(attempt), [1], **HOW)
    assert not changed.admits
    assert set(Grant.objects.values_list("state", flat=True)) == {GrantState.REVOKED}


def test_attempts_of_one_person_follow_from_each_other(reading, alice):
    pool = (choice("only"), *(choice(f"other-{n}") for n in range(2)))
    made = block("task", draw=1, mark="1").model_copy(update={"pool": pool})
    version = CourseVersionFactory(qualification=reading, course=course(made, attempts=2, wait_hours=0))
    prepare(alice, reading)
    attempts = [sitting.answer(sitting.issue(alice, reading, now=NOON), 0, WRONG, now=NOON) for _n in range(2)]
    assert [each.outcome for each in attempts] == [Outcome.AGAIN, Outcome.NOT_ADMITTED]
    changed = regrading.correct(version, key_of(attempts[0]), [1], **HOW)
    assert [(each.after, each.admits) for each in changed] == [(Outcome.ADMITTED, True), (Outcome.ADMITTED, False)]


def test_voided_attempts_and_those_of_other_versions_stay(reading, wrongly, alice, bob):
    voided = attempt_of(alice, reading, WRONG)
    deciding.void(voided, reason="spoiled", by=None, now=NOON)
    following = editing.edit(reading, by=None, now=NOON)
    editing.publish(following, edits=0, by=None, now=NOON)
    other = attempt_of(bob, reading, WRONG)
    for key in {key_of(voided), key_of(other)}:
        regrading.correct(wrongly, key, [1], **HOW)
    assert (outcome_of(voided), outcome_of(other)) == (Outcome.AGAIN, Outcome.AGAIN)


def test_an_open_attempt_is_graded_with_the_corrected_key(reading, wrongly, alice):
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    regrading.correct(wrongly, key_of(attempt), [1], **HOW)
    assert sitting.answer(attempt, 0, WRONG, now=NOON).outcome == Outcome.ADMITTED


def test_trials_are_not_graded_again(reading, wrongly, lena):
    trial = sitting.issue_trial(lena, reading, wrongly, now=NOON)
    trial = sitting.answer(trial, 0, WRONG, now=NOON)
    regrading.correct(wrongly, key_of(trial), [1], **HOW)
    assert outcome_of(trial) == trial.outcome


def test_a_correction_is_refused_by_whoever_saw_another_key(reading, wrongly):
    assert regrading.correct(wrongly, "task-0", [0], **HOW) == []
    regrading.correct(wrongly, "task-0", [1], **HOW)
    with pytest.raises(StalePage):
        regrading.correct(wrongly, "task-0", [2], **HOW)
    with pytest.raises(ReasonMissing):
        regrading.correct(wrongly, "task-0", [2], **HOW | {"was": [1], "reason": ""})


@pytest.mark.parametrize("right", [[], [3], [0, 1]])
def test_one_option_stays_one_option(reading, wrongly, right):
    with pytest.raises(WrongMove):
        regrading.preview(wrongly, "task-0", right)


def test_what_is_not_in_a_pool_of_a_published_version_is_not_found(reading, wrongly):
    for key in ("tutorial-0", "nothing"):
        with pytest.raises(NotFound):
            regrading.preview(wrongly, key, [1])
    with pytest.raises(NotFound):
        regrading.preview(editing.edit(reading, by=None, now=NOON), "task-0", [1])


def test_points_change_where_the_outcome_does_not(reading, alice):
    version = CourseVersionFactory(qualification=reading, course=course(block("task", draw=2, mark="1")))
    prepare(alice, reading)
    attempt = sit(alice, reading)
    [changed] = regrading.correct(version, key_of(attempt), [1], **HOW)
    assert (changed.changes, changed.before, changed.after) == (True, Outcome.ADMITTED, Outcome.ADMITTED)
    assert Attempt.objects.get(pk=attempt.pk).marks == ["0", "1"]
