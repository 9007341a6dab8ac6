"""The funnel of a course and what the answers say of its items; trials and voided attempts never count."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from qualification import invitations
from qualification.courses import candidates, deciding, editing, enrolling, item_figures, sitting
from qualification.courses.item_figures import ItemFigures
from tests.factories.people import ParticipantFactory
from tests.factories.qualification import CourseVersionFactory
from tests.people import NOON, join
from tests.qualification.courses.building import RIGHT, WRONG, block, choice, course, prepare, sit


def steps(qualification):
    found = candidates.funnel(qualification, candidates.candidates(qualification))
    return {step.key: step.n for step in found}


@pytest.fixture
def people(reading, published):
    return [join(reading.project, name) for name in ("ada", "ben", "cyd", "dan", "eve")]


def test_each_comes_as_far_as_they_came(reading, published, people, lena):
    before = steps(reading)
    ada, ben, cyd, dan, _eve = people
    enrolling.enrol(ada, reading, now=NOON)
    enrolling.mark_read(enrolling.enrol(ben, reading, now=NOON), now=NOON)
    prepare(cyd, reading)
    prepare(dan, reading)
    sit(dan, reading)
    told = steps(reading)
    assert told["invited"] == before["invited"]
    assert [told[key] for key in ("begun", "read", "tutorial", "issued", "finished", "admitted")] == [4, 3, 2, 1, 1, 1]
    guest = invitations.Guest("annotator")
    invitations.make(reading.project, [guest], days=3, key=uuid.uuid4(), by=lena, now=NOON)
    assert steps(reading)["invited"] == before["invited"] + 1


def test_a_share_is_of_the_step_before_with_its_interval(reading, published, people):
    for person in people[:4]:
        prepare(person, reading)
    for person in people[:3]:
        sit(person, reading, fail=("background",) if person == people[0] else ())
    rows = candidates.candidates(reading)
    found = {step.key: step for step in candidates.funnel(reading, rows)}
    assert (found["issued"].of, found["issued"].share.value, found["issued"].share.n) == ("tutorial", 0.75, 4)
    assert found["issued"].share.low < 0.75 < found["issued"].share.high
    assert (found["admitted"].of, found["admitted"].share.part) == ("finished", 2)
    assert candidates.admitted_of(rows).n == 3
    assert candidates.admitted_of([]) is None


def test_the_interval_of_the_published_share_is_the_published_one():
    assert [round(100 * end, 1) for end in candidates.PUBLISHED[:3]] == [57.0, 53.8, 60.1]


def test_trials_and_voided_attempts_do_not_count(reading, published, people, lena):
    trial = sitting.issue_trial(lena, reading, published, now=NOON)
    for place in range(len(trial.form)):
        sitting.answer(trial, place, RIGHT, now=NOON)
    prepare(people[0], reading)
    deciding.void(sit(people[0], reading), reason="An outage.", by=lena, now=NOON)
    told = steps(reading)
    assert (told["begun"], told["issued"], told["finished"], told["admitted"]) == (1, 0, 0, 0)
    assert {each.n for each in item_figures.item_figures(reading)} == {0}


def test_people_are_told_apart_by_how_they_came_and_weeks_begin_on_monday(reading, published, people, lena):
    ParticipantFactory(project=reading.project, user=people[0], external_id="p1")
    invitations.make(reading.project, [invitations.Guest()], days=7, key=uuid.uuid4(), by=lena, now=NOON)
    reading.project.invites.update(used_by=people[2], used_at=NOON)
    for person, days in ((people[0], 0), (people[1], 7), (people[2], 7)):
        enrolling.enrol(person, reading, now=NOON + timedelta(days=days))
    first, second, third = candidates.candidates(reading)
    assert (first.source, second.source) == (candidates.SITE, candidates.ADDED)
    assert third.source == candidates.INVITED
    assert (first.week.weekday(), second.week - first.week) == (0, timedelta(days=7))


def test_items_are_counted_with_their_time_and_unanswered_ones_are_not(reading, alice):
    pool = tuple(choice(f"task-{n}") for n in range(6))
    made = block("task", draw=2, mark="1").model_copy(update={"pool": pool})
    CourseVersionFactory(qualification=reading, course=course(made, minutes=10))
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    sitting.answer(attempt, 0, WRONG, now=NOON + timedelta(seconds=40))
    sitting.end_if_over(attempt, now=NOON + timedelta(minutes=11))
    told = {each.item.key: each for each in item_figures.item_figures(reading)}
    answered = told[attempt.form[0][1]]
    assert (answered.n, answered.right, answered.seconds, answered.share) == (1, 0, 40.0, None)
    assert told[attempt.form[1][1]].n == 0
    assert len(told) == 6


def figures(n, right, discrimination=None):
    return ItemFigures(choice("one"), "Task", 1, n, right, discrimination, None)


@pytest.mark.parametrize(("n", "given"), [(19, False), (20, True)])
def test_a_share_is_given_from_twenty_answers_on(n, given):
    assert (figures(n, 10).share is not None) is given


@pytest.mark.parametrize(("n", "right", "easy"), [(99, 99, False), (100, 95, True), (100, 94, False)])
def test_an_item_is_called_too_easy_from_a_hundred_answers_on(n, right, easy):
    assert figures(n, right).too_easy is easy


@pytest.mark.parametrize(
    ("n", "r", "misleads"), [(99, -0.5, False), (100, -0.01, True), (100, 0.0, False), (100, None, False)]
)
def test_an_item_misleads_where_right_answers_go_with_low_scores(n, r, misleads):
    assert figures(n, 50, r).misleading is misleads


@pytest.mark.parametrize(
    ("pairs", "r"),
    [
        ([(True, 1.0), (True, 1.0), (False, 0.0), (False, 0.0)], 1.0),
        ([(True, 0.0), (False, 1.0)], -1.0),
        ([(True, 1.0), (True, 0.0), (False, 1.0), (False, 0.0)], 0.0),
        # By hand: means 2 and 1, deviation of all 0.8164..., half of each.
        ([(True, 2.0), (True, 2.0), (False, 0.0), (False, 2.0)], 0.5773502691896258),
        ([(True, 1.0), (True, 0.0)], None),
        ([(True, 1.0)], None),
        ([], None),
    ],
)
def test_the_point_biserial_correlation(pairs, r):
    found = item_figures.point_biserial(pairs)
    assert found == (None if r is None else pytest.approx(r))


def test_an_item_is_shown_as_its_latest_version_has_it(reading, published):
    following = editing.edit(reading, by=None, now=NOON)
    changed = editing.read(following).blocks[0].pool[0].model_copy(update={"stem": "Said better"})
    first = editing.read(following).blocks[0]
    pool = (changed, *first.pool[1:])
    blocks = (first.model_copy(update={"pool": pool}), *editing.read(following).blocks[1:])
    editing.save(following, editing.read(following).model_copy(update={"blocks": blocks}), edits=0, by=None, now=NOON)
    editing.publish(following, edits=1, by=None, now=NOON)
    told = {each.item.key: each for each in item_figures.item_figures(reading)}
    assert (told["background-0"].item.stem, told["background-0"].version) == ("Said better", 2)
