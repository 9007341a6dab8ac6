"""Whoever looks at the answers to an item that they judge keeps their marks as they are, and judges it no more."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from annotation.errors import AlreadyClosed
from annotation.models import Recusal, RoundState
from tasks.judging import looking, raters, working
from tests.builders import reload
from tests.factories.record import ResponseFactory
from tests.people import NOON
from tests.tasks.judging.judged_rounds import RaterAtWork

AGAIN = {"stage": "judge", "schema": "judging.judgement/1", "payload": {"mark": "C", "part": "", "comment": ""}}


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


def look(rater, work) -> int:
    return looking.look(rater.user, "lights", work.task.item_id, now=NOON)


def test_what_has_no_mark_is_left_out_with_the_reason(sealed, erin, hers):
    assert look(erin, hers[1]) == 1
    exhibit = hers[1].annotation.exhibit_id
    assert raters.left_out(sealed, erin.user) == {exhibit: raters.SEEN}
    assert list(working.work_in(working.lease_of(sealed, erin.user))) == [hers[0], hers[2]]
    with pytest.raises(AlreadyClosed):
        erin.judge(hers[1], "C")


def test_what_has_a_mark_counts_as_it_is_and_cannot_be_changed(sealed, erin, egon, hers):
    erin.judge(hers[0], "W")
    look(erin, hers[0])
    assert raters.left_out(sealed, erin.user) == {}
    with pytest.raises(AlreadyClosed):
        erin.judge(hers[0], "C")
    for work in hers[1:]:
        erin.judge(work, "C")
    assert working.lock(sealed, by=erin.user, now=NOON).locked_at == NOON
    assert sealed.raters.filter(person=erin.user, locked_at=NOON).exists()


def test_the_database_refuses_a_mark_after_the_look_and_takes_one_of_somebody_else(sealed, erin, egon, hers):
    his = working.begin(sealed, by=egon.user, now=NOON)
    look(erin, hers[0])
    with pytest.raises(DatabaseError), transaction.atomic():
        ResponseFactory.insert(annotation=hers[0].annotation, **AGAIN)
    theirs = working.work_in(his).get(task=hers[0].task)
    ResponseFactory.insert(annotation=theirs.annotation, **AGAIN)


def test_who_looks_before_they_begin_is_given_the_rest(sealed, erin, lights):
    first = sealed.exhibits.get(place=0)
    looking.look(erin.user, "lights", first.item_id, now=NOON)
    given = working.work_in(working.begin(sealed, by=erin.user, now=NOON))
    assert sorted(given.values_list("task__exhibit__place", flat=True)) == [1, 2]


def test_who_looks_at_everything_keeps_nobody_waiting(sealed, erin, egon, hers):
    egon.judge_all(sealed, ["C", "C", "W"])
    working.lock(sealed, by=egon.user, now=NOON)
    looking.look(erin.user, "lights", None, now=NOON)
    sealed.refresh_from_db()
    assert sealed.state == RoundState.CLOSED


def test_who_has_marked_something_is_waited_for_until_they_lock(sealed, erin, egon, hers):
    erin.judge(hers[0], "C")
    looking.look(erin.user, "lights", None, now=NOON)
    egon.judge_all(sealed, ["C", "C", "W"])
    working.lock(sealed, by=egon.user, now=NOON)
    sealed.refresh_from_db()
    assert sealed.state == RoundState.SEALED
    working.lock(sealed, by=erin.user, now=NOON)
    sealed.refresh_from_db()
    assert sealed.state == RoundState.CLOSED


def test_nothing_follows_for_who_has_locked_or_looks_again_or_is_no_rater(sealed, erin, hers, lead):
    assert looking.look(lead, "lights", None, now=NOON) == 0
    assert (look(erin, hers[0]), look(erin, hers[0])) == (1, 0)
    for work in hers[1:]:
        erin.judge(work, "C")
    working.lock(sealed, by=erin.user, now=NOON)
    assert looking.look(erin.user, "lights", None, now=NOON) == 0
    assert Recusal.objects.count() == 1


def test_before_they_look_they_can_know_what_would_follow(sealed, erin, hers):
    erin.judge(hers[0], "C")
    [told] = looking.before(erin.user, "lights", None)
    assert (told.row, told.unmarked, told.marked) == (sealed, 2, 1)
    [told] = looking.before(erin.user, "lights", hers[0].task.item_id)
    assert (told.unmarked, told.marked) == (0, 1)
    assert looking.before(erin.user, "other", None) == []


def test_the_others_judge_it_still(sealed, erin, egon, hers):
    look(erin, hers[0])
    egon.judge_all(sealed, ["C", "C", "W"])
    assert reload(hers[0]).state == "revoked"
