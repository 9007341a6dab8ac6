"""A rater who drops out counts nowhere; whoever replaces them judges everything."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from annotation.errors import AlreadyClosed, WrongMove
from annotation.judging import given_marks, rounds
from annotation.models import Removal, Response, Role, RoundState
from tasks.judging import defects, raters, working
from tests.factories.record import ResponseFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft

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
    return working.replace_rater(of(row, rater), person, reason=reason, by=lead, now=NOON)


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
        replace(sealed, erin.user, emma, lead, reason="\u200b")
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


@pytest.fixture
def by_turns(lights, lead, experts):
    """Each of three exhibits is judged by one of two raters."""
    row = draft(lights, lead, judged_by=1)
    for expert in experts:
        raters.name(row, expert, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    return row


def given(row, person) -> set[int]:
    lease = working.begin(row, by=person, now=NOON)
    return set(working.work_in(lease).values_list("task__exhibit__place", flat=True))


def test_where_raters_take_turns_the_part_of_who_dropped_out_is_taken_over_though_others_have_begun(
    by_turns, experts, emma, lead
):
    parts = [given(by_turns, expert) for expert in experts]
    erin = RaterAtWork(experts[0], by_turns.project)
    erin.judge(working.work_in(working.lease_of(by_turns, erin.user)).first(), "W")
    replace(by_turns, experts[0], emma, lead)
    assert given(by_turns, emma) == parts[0]  # what she had marked counts nowhere, so it is judged again
    assert given(by_turns, experts[1]) == parts[1]
    for person, part in ((emma, parts[0]), (experts[1], parts[1])):
        judge_and_lock(by_turns, person, ["C"] * len(part))
    by_turns.refresh_from_db()
    assert by_turns.state == RoundState.CLOSED
    assert sorted(one.mark for one in given_marks.of_round(by_turns)) == ["C", "C", "C"]


def test_it_is_the_same_part_if_nobody_had_begun_and_if_it_is_taken_over_once_more(by_turns, experts, emma, lead):
    egon = {each.place for each in raters.given_to(by_turns, of(by_turns, experts[1]))}
    erin = {each.place for each in raters.given_to(by_turns, of(by_turns, experts[0]))}
    edda = join(by_turns.project, "edda", Role.EXPERT)
    replace(by_turns, experts[0], emma, lead)
    replace(by_turns, emma, edda, lead)
    assert (given(by_turns, edda), given(by_turns, experts[1])) == (erin, egon)


def test_nobody_waits_for_somebody_who_takes_over_nothing(by_turns, experts, lead, lights):
    """Ada made every answer."""
    ada = lights.memberships.get(user__username="ada").user
    join(lights, "ada", Role.EXPERT)
    judge_and_lock(by_turns, experts[1], ["C"] * len(given(by_turns, experts[1])))
    replace(by_turns, experts[0], ada, lead)
    by_turns.refresh_from_db()
    assert by_turns.state == RoundState.CLOSED


def test_a_spare_in_the_place_of_a_defect_is_taken_over_too(lights, lead, experts, emma):
    row = draft(lights, lead, judged_by=1, sample=2)
    for expert in experts:
        raters.name(row, expert, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    [place] = given(row, experts[0])
    replace(row, experts[0], emma, lead)
    flagged = row.exhibits.select_related("item", "round__project").get(place=place)
    defects.flag(flagged, why="It is cut off.", by=lead, now=NOON)
    assert given(row, emma) == {2}
