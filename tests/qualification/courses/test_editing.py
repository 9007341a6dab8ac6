"""Versions of a course: drafts, publishing, closing; whoever began one finishes it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import NotFound, StalePage, WrongMove
from qualification.courses import content, editing, enrolling, sitting, standing
from qualification.courses.standing import NextStep
from qualification.models import AttemptPurpose, Grant
from tests.factories.qualification import CourseVersionFactory
from tests.people import NOON
from tests.qualification.courses.building import block, choice, course, prepare, sit, three_blocks


def draft(qualification, lena, start=None):
    return editing.edit(qualification, start=start, by=lena, now=NOON)


def test_a_course_is_published_when_nothing_is_missing(reading, lena):
    empty = draft(reading, lena)
    with pytest.raises(WrongMove):
        editing.publish(empty, edits=0, by=lena, now=NOON)
    editing.save(empty, three_blocks(), edits=0, by=lena, now=NOON)
    editing.publish(empty, edits=1, by=lena, now=NOON)
    assert editing.published(reading).version == 1
    assert editing.draft_of(reading) is None


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        (course(block("task", pool=5)), "task"),
        (course(block("task", mark="5/2")), "task"),
        (course(block("task", extra=True, pool=4), attempts=1), ""),
        (content.Course(), ""),
        (course(paid=False), ""),
        (course(paid=False, minutes=10, extension=6), ""),
    ],
)
def test_what_is_missing_is_named(wrong, place):
    assert [where for where, _words in editing.obstacles(wrong)] == [place]


def test_an_exam_of_a_quarter_of_an_hour_may_be_unpaid():
    assert editing.obstacles(course(paid=False, minutes=10, extension=5)) == []


def test_a_pool_has_to_hold_the_drawn_items_of_one_attempt_more_than_there_are():
    exact = course(block("task", draw=2, pool=6), attempts=2)
    assert editing.obstacles(exact) == []


def test_two_leads_do_not_overwrite_each_other(reading, lena):
    version = draft(reading, lena)
    editing.save(version, three_blocks(), edits=0, by=lena, now=NOON)
    with pytest.raises(StalePage):
        editing.save(version, course(), edits=0, by=lena, now=NOON)
    with pytest.raises(StalePage):
        editing.publish(version, edits=0, by=lena, now=NOON)


def test_a_published_version_is_frozen_and_the_next_draft_begins_with_it(reading, published, lena):
    with pytest.raises(NotFound):
        editing.save(published, course(), edits=published.edits, by=lena, now=NOON)
    following = draft(reading, lena)
    assert (following.version, editing.read(following)) == (2, three_blocks())


def test_discarding_brings_back_what_is_published(reading, published, lena):
    following = draft(reading, lena)
    editing.save(following, course(), edits=0, by=lena, now=NOON)
    gone = editing.discard(following, edits=1, by=lena, now=NOON)
    assert editing.read(following) == three_blocks()
    editing.bring_back(following, gone, by=lena, now=NOON)
    assert editing.read(following) == course()


def test_discarded_changes_are_not_brought_back_over_later_ones(reading, published, lena):
    following = draft(reading, lena)
    editing.save(following, course(), edits=0, by=lena, now=NOON)
    gone = editing.discard(following, edits=1, by=lena, now=NOON)
    editing.save(following, course(block("other")), edits=2, by=lena, now=NOON)
    with pytest.raises(WrongMove):
        editing.bring_back(following, gone, by=lena, now=NOON)


def test_two_items_can_not_have_the_same_key(reading, lena):
    twice = content.Course(tutorial=(choice("a"),), blocks=(block("task", pool=6),))
    again = twice.model_copy(update={"tutorial": (choice("a"), choice("a"))})
    with pytest.raises(WrongMove):
        editing.save(draft(reading, lena), again, edits=0, by=lena, now=NOON)


def test_whoever_began_a_version_finishes_it(reading, published, alice, bob, lena):
    enrolling.enrol(alice, reading, now=NOON)
    following = draft(reading, lena)
    editing.save(following, course(), edits=0, by=lena, now=NOON)
    editing.publish(following, edits=1, by=lena, now=NOON)
    enrolling.enrol(bob, reading, now=NOON)
    assert standing.of_person(alice, reading, now=NOON).version == published
    assert standing.of_person(bob, reading, now=NOON).version == following


def test_a_closed_course_is_finished_and_not_begun(reading, published, alice, bob, lena):
    enrolling.enrol(alice, reading, now=NOON)
    editing.close(published, closed=True, by=lena, now=NOON)
    assert standing.of_person(bob, reading, now=NOON) is None
    prepare(alice, reading)
    assert sit(alice, reading).outcome == "admitted"
    editing.close(published, closed=False, by=lena, now=NOON)
    assert standing.of_person(bob, reading, now=NOON).next == NextStep.BEGIN


def test_a_lead_sits_the_draft_and_it_counts_nowhere(reading, lena):
    version = draft(reading, lena, start=three_blocks())
    trial = sitting.issue_trial(lena, reading, version, now=NOON)
    assert sitting.issue_trial(lena, reading, version, now=NOON) == trial
    for place in range(len(trial.form)):
        trial = sitting.answer(trial, place, [0], now=NOON)
    assert (trial.purpose, trial.outcome) == (AttemptPurpose.TRIAL, "admitted")
    assert not Grant.objects.exists()
    assert standing.counting(lena, reading) == ()


def test_a_trial_ends_when_the_draft_changes(reading, lena):
    version = draft(reading, lena, start=three_blocks())
    trial = sitting.issue_trial(lena, reading, version, now=NOON)
    editing.save(version, course(), edits=0, by=lena, now=NOON)
    with pytest.raises(sitting.ExamOver):
        sitting.answer(trial, 0, [0], now=NOON)
    assert sitting.issue_trial(lena, reading, version, now=NOON) != trial


def test_equal_courses_of_two_projects_have_the_same_hash(reading, published):
    assert published.sha256 == content.sha256(three_blocks())
    assert content.sha256(course()) != published.sha256


def test_a_trial_of_a_draft_that_has_changed_keeps_nobody_elses_exam_from_being_graded(reading, alice, lena):
    CourseVersionFactory(qualification=reading, course=course(minutes=30))
    following = draft(reading, lena)
    trial = sitting.issue_trial(lena, reading, following, now=NOON)
    editing.save(following, three_blocks(minutes=30), edits=0, by=lena, now=NOON)
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    sitting.end_overdue(now=NOON + timedelta(hours=1))
    trial.refresh_from_db()
    attempt.refresh_from_db()
    assert (trial.voided_at, attempt.state) == (NOON + timedelta(hours=1), "expired")
