"""Whoever has the turn is reminded once, may ask for more time, and is left behind only after three quiet minutes."""

from __future__ import annotations

import uuid

import pytest

from annotation.engine.drafts import PageLoad
from annotation.errors import NotEligible
from annotation.models import Event
from tasks.engine import assignments, submitting
from tasks.pairs import leaving, presence, turn_time
from tests.protocols.toy.building import Pair
from tests.tasks.pairs.visiting import at


@pytest.fixture
def pair(toys):
    """An asker who has the turn since noon, and a teller who waits."""
    return Pair.seated(toys)


def state(pair, seat, seconds):
    turn = turn_time.turn_under_way(pair.row(seat), now=at(seconds))
    return turn.state if turn else None


def states(pair, seat, *moments):
    return [state(pair, seat, seconds) for seconds in moments]


def types(pair, seat, step, seconds):
    row = pair.row(seat)
    fence = {"tab": PageLoad(uuid.UUID(int=1)), "seq": seconds, "seen": assignments.work_of(row).seen_at(step)}
    submitting.save_draft(row, step, {"text": "Zq8draft"}, by=row.annotator, now=at(seconds), **fence)


def asks_for_more(pair, seat, seconds):
    row = pair.row(seat)
    turn_time.ask_for_more(row, by=row.annotator, now=at(seconds))


def goes_on(pair, seat, seconds):
    """The partner's page polls, so that it is not lost."""
    presence.note(pair.row(seat), now=at(seconds))


def test_the_one_whose_turn_it_is_is_reminded_after_a_minute_and_may_ask_for_more_after_two(pair):
    assert states(pair, "asker", 0, 59, 60, 119, 120, 500) == ["", "", "reminded", "reminded", "may_ask", "may_ask"]
    assert turn_time.turn_under_way(pair.row("asker"), now=at(60)).mine


def test_an_answer_begins_the_partners_turn(pair):
    pair.say("asker", "ask-1", now=at(50))
    assert states(pair, "teller", 50, 109, 110) == ["", "", "reminded"]
    assert states(pair, "asker", 50, 229, 230) == ["thinking", "thinking", "quiet"]


def test_the_partner_learns_that_somebody_writes_but_not_what(pair):
    types(pair, "asker", "ask-1", 100)
    assert states(pair, "teller", 100, 114, 115) == ["writing", "writing", "thinking"]
    assert "Zq8draft" not in repr(turn_time.turn_under_way(pair.row("teller"), now=at(101)))


def test_input_and_drafts_keep_a_turn_from_being_quiet(pair):
    assert states(pair, "teller", 179, 180) == ["thinking", "quiet"]
    types(pair, "asker", "ask-1", 100)
    assert states(pair, "teller", 279, 280) == ["thinking", "quiet"]
    turn_time.note_input(pair.row("asker"), at=at(150))
    turn_time.note_input(pair.row("asker"), at=at(120))
    assert states(pair, "teller", 329, 330) == ["thinking", "quiet"]
    turn_time.note_input(pair.row("teller"), at=at(300))
    assert state(pair, "teller", 330) == "quiet"


def test_who_asks_for_more_time_has_as_much_again_and_the_partner_knows(pair):
    asks_for_more(pair, "asker", 120)
    assert states(pair, "asker", 120, 149, 150, 239, 240) == ["told", "told", "", "", "may_ask"]
    assert states(pair, "teller", 120, 239, 240, 299, 300) == ["slow", "slow", "thinking", "thinking", "quiet"]
    event = Event.objects.get(kind="assignment.more_time")
    assert (event.by, event.project_id) == (pair.asker.pk, pair.annotation.item.project_id)


def test_more_time_is_given_ten_times_in_a_turn_and_again_in_the_next(pair):
    for number in range(1, 11):
        asks_for_more(pair, "asker", 120 * number)
    assert state(pair, "asker", 120 * 11) == ""
    with pytest.raises(NotEligible):
        asks_for_more(pair, "asker", 120 * 11)
    assert state(pair, "teller", 120 * 10 + 180) == "quiet"
    pair.say("asker", "ask-1", now=at(1400))
    pair.say("teller", "tell-1", now=at(1401))
    assert states(pair, "asker", 1402, 1521) == ["", "may_ask"]


@pytest.mark.parametrize(("seat", "seconds"), [("asker", 119), ("teller", 121)])
def test_nobody_asks_for_more_time_too_early_or_out_of_turn(pair, seat, seconds):
    with pytest.raises(NotEligible) as refused:
        asks_for_more(pair, seat, seconds)
    assert refused.value.reason == "not_now"


def test_pressed_twice_it_is_one_request(pair):
    asks_for_more(pair, "asker", 130)
    with pytest.raises(NotEligible):
        asks_for_more(pair, "asker", 130)
    assert Event.objects.filter(kind="assignment.more_time").count() == 1


def test_a_quiet_partner_may_be_left_behind_like_a_lost_one_but_not_before(pair):
    for seconds in (170, 179, 181):
        goes_on(pair, "asker", seconds)
    teller = pair.row("teller")
    for choose in (leaving.end, leaving.find_another):
        with pytest.raises(NotEligible) as refused:
            choose(teller, by=pair.teller, now=at(179))
        assert refused.value.reason == "partner_is_here"
    assert presence.of_partners(pair.row("teller"), now=at(181)).state == "here"
    assert leaving.find_another(pair.row("teller"), by=pair.teller, now=at(181)).state == "waiting"
    event = Event.objects.get(subject=f"assignment:{teller.uuid}", kind="assignment.returned")
    assert event.data["reason"] == "partner_quiet"
    assert presence.of_partners(pair.row("asker"), now=at(181)).state == "gone"


def test_whoever_has_the_turn_can_not_leave_a_waiting_partner_behind(pair):
    for seconds in (170, 190):
        goes_on(pair, "teller", seconds)
    with pytest.raises(NotEligible):
        leaving.end(pair.row("asker"), by=pair.asker, now=at(200))


def test_work_that_is_over_has_no_turns(pair):
    pair.talk()
    assert states(pair, "asker", 500) == states(pair, "teller", 500) == [None]
