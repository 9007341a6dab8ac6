"""A rater judges each exhibit alone, goes back as they like, and locks the round; then nothing is written any more."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from annotation.errors import AlreadyClosed, NotFound, PayloadInvalid, WrongMove
from annotation.judging import rounds
from annotation.models import Annotation, Rater, Response, Role
from tasks.engine import assignments
from tasks.judging import raters, working
from tasks.models import Lease
from tasks.models.states import AssignmentState
from tests.builders import Worker, open_with, project, questions, reload
from tests.factories.record import ResponseFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft


@pytest.fixture
def erin(experts, lights):
    return RaterAtWork(experts[0], lights)


@pytest.fixture
def egon(experts, lights):
    return RaterAtWork(experts[1], lights)


@pytest.fixture
def hers(sealed, erin):
    """What Erin is given, in her order."""
    return list(working.work_in(working.begin(sealed, by=erin.user, now=NOON)))


def test_all_exhibits_are_given_at_once_in_an_order_of_the_raters_own(sealed, erin, egon, hers):
    his = working.work_in(working.begin(sealed, by=egon.user, now=NOON))
    orders = [[work.annotation.exhibit.place for work in each] for each in (hers, his)]
    assert sorted(orders[0]) == sorted(orders[1]) == [0, 1, 2]
    assert orders[0] != orders[1]


def test_who_begins_twice_goes_on(sealed, erin, hers):
    assert list(working.work_in(working.begin(sealed, by=erin.user, now=NOON))) == hers
    assert Lease.objects.filter(annotator=erin.user).count() == 1


def test_nobody_else_can_begin(sealed, lights):
    with pytest.raises(NotFound):
        working.begin(sealed, by=join(lights, "mallory", Role.EXPERT), now=NOON)


def test_a_rater_sees_the_question_the_passage_and_the_rubric(hers, sealed):
    work = assignments.work_of(reload(hers[0]))
    sheet = work.sheet("judge")
    assert sheet.prompt.startswith("who tended light number")
    assert (sheet.frame.root, sheet.frame.marked) == (0, ())
    assert [mark.key for mark in sheet.rubric.marks] == ["C", "Cd", "W"]


def test_a_mark_can_be_changed_until_the_round_is_locked(sealed, erin, hers):
    for work in hers:
        erin.judge(work, "C")
    erin.judge(hers[0], "W", comment="Not in the passage.")
    said = Response.objects.filter(annotation=hers[0].annotation).order_by("revision")
    assert [row.payload["mark"] for row in said] == ["C", "W"]
    working.lock(sealed, by=erin.user, now=NOON)
    with pytest.raises(AlreadyClosed):
        erin.judge(hers[0], "C")


def test_a_raters_work_stays_theirs_for_a_year_since_the_last_mark(erin, hers):
    lease, tomorrow = hers[0].lease, NOON + timedelta(days=1)
    lasts = lease.expires_at - lease.opened_at
    assert erin.judge(hers[0], "C", now=tomorrow).next_step is None
    assert reload(hers[1]).lease.expires_at == tomorrow + lasts
    assert lasts == timedelta(days=365)


def test_what_a_rater_has_judged_stays_open_when_others_end_their_work(erin, hers, tmp_path):
    for work in hers:
        erin.judge(work, "C")
    ferries = project("ferries")
    open_with(ferries, tmp_path, questions(1))
    done = Worker(join(ferries, "cleo"), ferries).finish_bad()
    assert (done.lease.closed_at, reload(hers[0]).lease.closed_at) == (NOON, None)


def test_only_a_mark_of_the_rubric_is_taken(erin, hers):
    with pytest.raises(PayloadInvalid):
        erin.judge(hers[0], "D")


def test_a_round_is_locked_once_all_is_judged(sealed, erin, hers):
    for work in hers[:2]:
        erin.judge(work, "C")
    with pytest.raises(WrongMove, match="no mark yet"):
        working.lock(sealed, by=erin.user, now=NOON)
    erin.judge(hers[2], "C")
    locked = working.lock(sealed, by=erin.user, now=NOON)
    assert locked.locked_at == NOON
    assert working.lock(sealed, by=erin.user, now=NOON).locked_at == NOON
    assert not Lease.objects.filter(annotator=erin.user, closed_at=None).exists()


def test_the_database_refuses_a_mark_of_somebody_who_has_locked_and_takes_one_of_somebody_who_has_not(
    sealed, erin, egon, hers
):
    his = working.begin(sealed, by=egon.user, now=NOON)
    for work in hers:
        erin.judge(work, "C")
    working.lock(sealed, by=erin.user, now=NOON)
    again = {"stage": "judge", "schema": "judging.judgement/1", "payload": {"mark": "C", "part": "", "comment": ""}}
    with pytest.raises(DatabaseError), transaction.atomic():
        ResponseFactory.insert(annotation=hers[0].annotation, revision=2, **again)
    ResponseFactory.insert(annotation=working.work_in(his).first().annotation, **again)


def test_the_database_keeps_when_somebody_locked(sealed, erin, hers):
    for work in hers:
        erin.judge(work, "C")
    working.lock(sealed, by=erin.user, now=NOON)
    mine = Rater.objects.filter(person=erin.user)
    with pytest.raises(DatabaseError), transaction.atomic():
        mine.update(locked_at=None)
    with pytest.raises(DatabaseError), transaction.atomic():
        mine.delete()


def test_who_made_an_answer_does_not_judge_it(lights, lead, experts):

    ada = lights.memberships.get(user__username="ada").user
    row = draft(lights, lead)
    join(lights, "ada", Role.EXPERT)
    raters.name(row, ada, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    assert set(raters.left_out(row, ada).values()) == {raters.MADE}
    assert not working.work_in(working.begin(row, by=ada, now=NOON)).exists()


def test_work_in_two_rounds_goes_on_side_by_side(sealed, lights, lead, erin, hers):

    other = draft(lights, lead)
    raters.name(other, erin.user, by=lead, now=NOON)
    rounds.seal(other, by=lead, now=NOON)
    theirs = list(working.work_in(working.begin(other, by=erin.user, now=NOON)))
    erin.judge(theirs[0], "C")
    erin.judge(hers[0], "W")
    assert {reload(each).state for each in (theirs[0], hers[0])} == {AssignmentState.SUBMITTED}


def test_a_lead_who_is_named_judges_too(lights, lead):

    row = draft(lights, lead)
    raters.name(row, lead, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    RaterAtWork(lead, lights).judge_all(row, ["C", "C", "W"])
    assert working.lock(row, by=lead, now=NOON).locked_at == NOON
    assert Annotation.with_trials.filter(author=lead, completed_at__isnull=False).count() == 3
