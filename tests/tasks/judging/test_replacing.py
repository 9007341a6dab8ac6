"""A rater who drops out counts nowhere; whoever replaces them judges everything."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from annotation.errors import AlreadyClosed, WrongMove
from annotation.judging import given_marks
from annotation.models import Removal, Response, Role, RoundState
from tasks.judging import replacing, working
from tests.factories.record import ResponseFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork

AGAIN = {"stage": "judge", "schema": "judging.judgement/1", "payload": {"mark": "C", "part": "", "comment": ""}}
ILL = "She is ill."


@pytest.fixture
def emma(lights):
    return join(lights, "emma", Role.EXPERT)


@pytest.fixture
def erin(experts, lights, sealed):
    """She has marked one of three."""
    rater = RaterAtWork(experts[0], lights)
    rater.judge(working.work_in(working.begin(sealed, by=rater.user, now=NOON)).first(), "W")
    return rater


def of(row, person):
    return row.raters.get(person=person)


def replace(row, rater, person, lead, *, reason=ILL):
    return replacing.replace(of(row, rater), person, reason=reason, by=lead, now=NOON)


def judge_and_lock(row, person, marks=("C", "C", "C")):
    RaterAtWork(person, row.project).judge_all(row, marks)
    working.lock(row, by=person, now=NOON)


def test_who_replaces_them_judges_all_and_the_round_closes_by_those_who_remain(sealed, erin, experts, emma, lead):
    assert replace(sealed, erin.user, emma, lead).number == 3
    judge_and_lock(sealed, emma)
    judge_and_lock(sealed, experts[1])
    sealed.refresh_from_db()
    assert sealed.state == RoundState.CLOSED
    assert {one.rater for one in given_marks.of_round(sealed)} == {2, 3}
    assert Response.objects.filter(annotation__exhibit__round=sealed, author=erin.user).count() == 1


def test_who_dropped_out_goes_on_with_nothing(sealed, erin, emma, lead):
    works = list(working.work_in(working.lease_of(sealed, erin.user)))
    replace(sealed, erin.user, emma, lead)
    for work in works:
        with pytest.raises(AlreadyClosed):
            erin.judge(work, "C")
        with pytest.raises(DatabaseError), transaction.atomic():
            ResponseFactory.insert(annotation=work.annotation, revision=2, **AGAIN)
    for act in (working.begin, working.lock):
        with pytest.raises(WrongMove):
            act(sealed, by=erin.user, now=NOON)


def test_without_somebody_else_those_who_remain_close_the_round(sealed, erin, experts, lead):
    judge_and_lock(sealed, experts[1])
    assert replace(sealed, erin.user, None, lead) is None
    sealed.refresh_from_db()
    assert sealed.state == RoundState.CLOSED


def test_somebody_remains(sealed, erin, experts, lead):
    replace(sealed, erin.user, None, lead)
    with pytest.raises(WrongMove, match="Nobody else judges"):
        replace(sealed, experts[1], None, lead)


def test_who_has_locked_stays_and_a_reason_and_somebody_new_are_needed(sealed, erin, experts, emma, lead):
    with pytest.raises(WrongMove, match="Say why"):
        replace(sealed, erin.user, emma, lead, reason=" ")
    with pytest.raises(WrongMove, match="already"):
        replace(sealed, erin.user, experts[1], lead)
    judge_and_lock(sealed, experts[1])
    with pytest.raises(WrongMove, match="final"):
        replace(sealed, experts[1], emma, lead)
    assert not Removal.objects.exists()


def test_again_is_no_error_and_adds_nobody(sealed, erin, emma, lead):
    replace(sealed, erin.user, emma, lead)
    assert replace(sealed, erin.user, None, lead) is None
    assert sealed.raters.count() == 3
