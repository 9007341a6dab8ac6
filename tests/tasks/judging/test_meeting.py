"""Raters meet about what differs: they argue, and settle a mark only once each of them has confirmed it."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from annotation.errors import NotFound, WrongMove
from annotation.judging import given_marks, rounds
from annotation.models import Argument, Confirmation, Consensus, MeetingMark, Proposal, Role, RoundState
from tasks.judging import ending, raters, working
from tasks.judging.meeting import agenda, agreeing, room, voters
from tests.people import NOON, join
from tests.tasks.judging.judged_once import lead, meeting, met_once, voting
from tests.tasks.judging.judged_rounds import RaterAtWork, draft
from tests.tasks.judging.meetings import exhibit_at, judge_by_place, order, rater_of, settle

__all__ = ["lead", "meeting", "met_once", "voting"]

LATER = NOON + timedelta(seconds=30)


def test_the_meeting_opens_with_the_last_lock_and_not_before(lights, lead, voting):

    row = draft(lights, lead, meeting=True)
    for person in voting:
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    for person in voting:
        row.refresh_from_db()
        assert row.state == RoundState.SEALED
        judge_by_place(person, row, ["C", "C", "C"])
    row.refresh_from_db()
    assert row.state == RoundState.MEETING
    assert row.ended_at is None


def test_without_a_meeting_the_last_lock_closes_the_round(sealed, experts):
    for person in experts:
        judge_by_place(person, sealed, ["C", "W", "C"])
    sealed.refresh_from_db()
    assert (sealed.state, sealed.ended_at) == (RoundState.CLOSED, NOON)


def test_nobody_waits_for_a_rater_who_has_nothing_to_judge(lights, lead, voting):

    row = draft(lights, lead, meeting=True)
    ada = join(lights, "ada", Role.EXPERT)  # has given all answers
    for person in (ada, *voting):
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    for person in voting:
        judge_by_place(person, row, ["C", "C", "C"])
    row.refresh_from_db()
    assert row.state == RoundState.MEETING


def test_one_rater_alone_has_nobody_to_meet(lights, lead, voting):

    row = draft(lights, lead, meeting=True)
    raters.name(row, voting[0], by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    judge_by_place(voting[0], row, ["C", "C", "C"])
    row.refresh_from_db()
    assert row.state == RoundState.CLOSED


def test_the_agenda_has_what_differs_the_farthest_apart_first_and_the_unanimous_below(meeting):
    assert order(meeting) == ([1, 2], [0])
    assert agenda.agenda_of(meeting).now == exhibit_at(meeting, 1).pk


def test_what_is_parked_comes_last_and_the_room_goes_on(meeting, voting):
    agenda.park(exhibit_at(meeting, 1), by=voting[0], now=NOON)
    assert order(meeting) == ([2, 1], [0])
    assert agenda.agenda_of(meeting).now == exhibit_at(meeting, 2).pk
    settle(meeting, 2, "C", people=voting)
    assert agenda.agenda_of(meeting).after(exhibit_at(meeting, 2).pk) == exhibit_at(meeting, 1).pk
    agenda.take_up(exhibit_at(meeting, 1), by=voting[0], now=NOON)
    assert not any(item.parked for item in agenda.agenda_of(meeting).items)


def test_a_unanimous_exhibit_is_talked_about_once_somebody_pulls_it_in(meeting, voting):
    with pytest.raises(WrongMove, match="Pull it in"):
        agreeing.propose(exhibit_at(meeting, 0), mark="W", reason="", by=voting[0], now=NOON)
    agenda.pull_in(exhibit_at(meeting, 0), by=voting[2], now=NOON)
    agenda.pull_in(exhibit_at(meeting, 0), by=voting[1], now=NOON)
    assert order(meeting) == ([1, 2, 0], [])
    settle(meeting, 0, "W", people=voting)
    assert agenda.agenda_of(meeting).settled == 1


def test_a_consensus_is_written_with_the_last_confirmation(meeting, voting):
    erin, egon, emma = voting
    made = agreeing.propose(exhibit_at(meeting, 1), mark="Cd", reason="Half of it.", by=erin, now=NOON)
    assert agreeing.confirm(exhibit_at(meeting, 1), number=made.number, by=egon, now=NOON) is None
    assert not Consensus.objects.exists()
    found = agreeing.confirm(exhibit_at(meeting, 1), number=made.number, by=emma, now=LATER)
    assert (found.proposal, found.voters, found.at) == (made, 3, LATER)
    assert agreeing.confirm(exhibit_at(meeting, 1), number=made.number, by=emma, now=LATER) == found


def test_another_proposal_starts_confirmations_again(meeting, voting):
    erin, egon, emma = voting
    first = agreeing.propose(exhibit_at(meeting, 1), mark="Cd", reason="", by=erin, now=NOON)
    agreeing.confirm(exhibit_at(meeting, 1), number=first.number, by=egon, now=NOON)
    second = agreeing.propose(exhibit_at(meeting, 1), mark="Cd", reason="With a reason.", by=erin, now=NOON)
    assert (first.number, second.number) == (1, 2)
    with pytest.raises(WrongMove, match="just changed"):
        agreeing.confirm(exhibit_at(meeting, 1), number=1, by=emma, now=NOON)
    agreeing.confirm(exhibit_at(meeting, 1), number=2, by=emma, now=NOON)
    assert not Consensus.objects.exists()
    assert agreeing.confirm(exhibit_at(meeting, 1), number=2, by=egon, now=NOON) is not None


def test_clicking_twice_does_everything_once(meeting, voting):
    erin, egon, _emma = voting
    key = uuid.uuid4()
    for _ in range(2):
        agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="Why.", by=erin, now=NOON)
        agreeing.confirm(exhibit_at(meeting, 1), number=1, by=egon, now=NOON)
        agreeing.argue(exhibit_at(meeting, 1), text="It never says so.", key=key, by=egon, now=NOON)
        agreeing.mark_anew(exhibit_at(meeting, 1), mark="C", by=egon, now=NOON)
        room.enter(meeting, by=egon, now=NOON)
    assert [each.objects.count() for each in (Proposal, Confirmation, Argument, MeetingMark)] == [1, 2, 1, 1]


def test_a_confirmation_can_be_taken_back_until_it_is_settled(meeting, voting):
    erin, egon, emma = voting
    agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="", by=erin, now=NOON)
    agreeing.confirm(exhibit_at(meeting, 1), number=1, by=egon, now=NOON)
    for _ in range(2):
        agreeing.withdraw(exhibit_at(meeting, 1), number=1, by=egon, now=NOON)
    assert agreeing.confirm(exhibit_at(meeting, 1), number=1, by=emma, now=NOON) is None
    assert agreeing.confirm(exhibit_at(meeting, 1), number=1, by=egon, now=NOON) is not None
    with pytest.raises(WrongMove, match="settled"):
        agreeing.withdraw(exhibit_at(meeting, 1), number=1, by=egon, now=NOON)


def test_first_marks_stay_what_they_were(meeting, voting):
    before = set(given_marks.of_round(meeting))
    agreeing.mark_anew(exhibit_at(meeting, 1), mark="C", by=voting[1], now=NOON)
    settle(meeting, 1, "C", people=voting)
    assert set(given_marks.of_round(meeting)) == before


@pytest.mark.parametrize("gone", ["left", "silent"])
def test_somebody_who_is_missing_pauses_what_they_vote_on(meeting, voting, gone):
    erin, egon, emma = voting
    agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="", by=erin, now=NOON)
    now = NOON + (timedelta(seconds=1) if gone == "left" else room.AWAY)
    if gone == "left":
        room.leave(meeting, by=emma, now=now)
    else:
        for person in (erin, egon):
            room.enter(meeting, by=person, now=now)
    with pytest.raises(WrongMove, match="not in the room"):
        agreeing.confirm(exhibit_at(meeting, 1), number=1, by=egon, now=now)
    with pytest.raises(WrongMove, match="not in the room"):
        agreeing.propose(exhibit_at(meeting, 1), mark="C", reason="", by=erin, now=now)
    agreeing.argue(exhibit_at(meeting, 1), text="Still.", key=uuid.uuid4(), by=egon, now=now)
    room.enter(meeting, by=emma, now=now)
    agreeing.confirm(exhibit_at(meeting, 1), number=1, by=egon, now=now)


def test_a_page_is_away_at_the_limit_and_not_before(meeting, voting):
    almost = NOON + room.AWAY - timedelta(microseconds=1)
    assert room.here(meeting, now=almost) == {person.pk for person in voting}
    assert room.here(meeting, now=NOON + room.AWAY) == frozenset()


def test_a_removed_voter_is_missed_no_more_and_the_consensus_says_how_many_voted(meeting, voting, lead):
    erin, egon, emma = voting
    settle(meeting, 2, "C", people=voting)
    agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="", by=erin, now=NOON)
    agreeing.confirm(exhibit_at(meeting, 1), number=1, by=egon, now=NOON)
    with pytest.raises(WrongMove, match="Say why"):
        agreeing.remove_voter(rater_of(meeting, emma), reason="...", by=lead, now=NOON)
    agreeing.remove_voter(rater_of(meeting, emma), reason="Ill.", by=lead, now=NOON)
    assert sorted(Consensus.objects.values_list("exhibit__place", "voters")) == [(1, 2), (2, 3)]
    with pytest.raises(NotFound):
        agreeing.confirm(exhibit_at(meeting, 1), number=1, by=emma, now=NOON)
    with pytest.raises(WrongMove, match="Two voters must remain"):
        agreeing.remove_voter(rater_of(meeting, egon), reason="Ill, too.", by=lead, now=NOON)


def test_a_lead_in_the_chair_has_no_vote(meeting, voting, lead):
    voters.choose_chair(meeting, lead, by=lead, now=NOON)
    meeting.refresh_from_db()
    agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="", by=lead, now=NOON)
    assert not Confirmation.objects.exists()
    with pytest.raises(NotFound):
        agreeing.confirm(exhibit_at(meeting, 1), number=1, by=lead, now=NOON)
    for person in voting:
        agreeing.confirm(exhibit_at(meeting, 1), number=1, by=person, now=NOON)
    assert Consensus.objects.get().voters == 3


def test_only_the_chair_proposes_parks_takes_up_and_reveals(meeting, voting):
    egon, exhibit = voting[1], exhibit_at(meeting, 1)
    for act in (agenda.park, agenda.take_up, agenda.reveal):
        with pytest.raises(NotFound):
            act(exhibit, by=egon, now=NOON)
    with pytest.raises(NotFound):
        agreeing.propose(exhibit, mark="W", reason="", by=egon, now=NOON)


def test_nobody_else_says_anything(meeting, lights, lead):
    for person in (lead, join(lights, "oskar", Role.EXPERT)):
        for act in (
            lambda person: agreeing.argue(exhibit_at(meeting, 1), text="Hm.", key=uuid.uuid4(), by=person, now=NOON),
            lambda person: agreeing.mark_anew(exhibit_at(meeting, 1), mark="C", by=person, now=NOON),
            lambda person: agenda.pull_in(exhibit_at(meeting, 0), by=person, now=NOON),
        ):
            with pytest.raises(NotFound):
                act(person)


def test_a_mark_that_the_rubric_does_not_have_is_refused(meeting, voting):
    with pytest.raises(NotFound):
        agreeing.propose(exhibit_at(meeting, 1), mark="X", reason="", by=voting[0], now=NOON)
    with pytest.raises(NotFound):
        agreeing.mark_anew(exhibit_at(meeting, 1), mark="X", by=voting[0], now=NOON)


@pytest.mark.parametrize("who", ["chair", "lead"])
def test_the_chair_or_a_lead_ends_the_meeting_and_nothing_changes_any_more(meeting, voting, lead, who):
    with pytest.raises(NotFound):
        ending.end_meeting(meeting, by=voting[1], now=NOON)
    for _ in range(2):
        ending.end_meeting(meeting, by=voting[0] if who == "chair" else lead, now=LATER)
    meeting.refresh_from_db()
    assert (meeting.state, meeting.ended_at) == (RoundState.CLOSED, LATER)
    with pytest.raises(WrongMove, match="over"):
        agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="", by=voting[0], now=LATER)
    with pytest.raises(WrongMove, match="over"):
        voters.choose_chair(meeting, voting[1], by=lead, now=LATER)


def test_a_round_is_stopped_with_a_reason_and_its_work_is_taken_back(sealed, experts, lights, lead):
    erin = RaterAtWork(experts[0], lights)
    held = list(working.work_in(working.begin(sealed, by=erin.user, now=NOON)))
    erin.judge(held[0], "C")
    with pytest.raises(WrongMove, match="Say why"):
        ending.stop(sealed, why=" … ", by=lead, now=LATER)
    ending.stop(sealed, why="The passages are cut off.", by=lead, now=LATER)
    sealed.refresh_from_db()
    assert (sealed.state, sealed.stopped_why) == (RoundState.STOPPED, "The passages are cut off.")
    assert [work.state for work in working.lease_of(sealed, erin.user).assignments.order_by("pk")] == [
        "submitted",
        "revoked",
        "revoked",
    ]
    with pytest.raises(WrongMove):
        working.begin(sealed, by=experts[1], now=LATER)
    with pytest.raises(WrongMove, match="over"):
        ending.stop(sealed, why="Again.", by=lead, now=LATER)
