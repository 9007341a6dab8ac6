"""While a lead has paused a project, or the server was down, no clock of shared work runs and nobody is seated."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import events
from annotation.errors import NotFound
from annotation.models import Event, Role
from tasks.engine import claiming, clocks, leases, pokes
from tasks.models import Assignment, Lease, Pause, Ticket
from tasks.pairs import pauses, presence, turn_time, waiting
from tests.builders import project, reload
from tests.factories.work import PauseFactory
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project
from tests.tasks.pairs import visiting
from tests.tasks.pairs.visiting import Lobby, at

QUARTER = 15 * 60


@pytest.fixture
def with_alone(db, monkeypatch):
    """A project of its own for each test: one has real commits."""
    return visiting.with_alone(monkeypatch)


@pytest.fixture
def toys(db):
    return toy_project()


@pytest.fixture
def pair(toys):
    return Pair.seated(toys)


def pause(toys, seconds):
    return pauses.begin(toys, by=join(toys, "lena", Role.LEAD), now=at(seconds))


def go_on(toys, seconds):
    pauses.end(toys, by=join(toys, "lena", Role.LEAD), now=at(seconds))


def partner(pair, seconds):
    """The teller as the asker sees them, and as the socket's round does."""
    alone_seen = presence.of_partners(pair.row("asker"), now=at(seconds)).state
    key = pair.held["asker"].pk
    assert presence.of_all([key], now=at(seconds)) == {key: alone_seen}
    return alone_seen


def turn(pair, seat, seconds):
    return turn_time.turn_under_way(pair.row(seat), now=at(seconds)).state


def test_nobody_is_lost_in_a_pause_and_the_clock_goes_on_where_it_stood(toys, pair):
    assert partner(pair, 80) == "unsure"
    pause(toys, 80)
    assert [partner(pair, seconds) for seconds in (100, 500)] == ["unsure", "unsure"]
    go_on(toys, 500)
    assert [partner(pair, seconds) for seconds in (509, 510)] == ["unsure", "lost"]


def test_a_pause_ends_by_itself_after_a_quarter_of_an_hour(toys, pair):
    assert pause(toys, 5) == at(5 + QUARTER)
    assert pauses.ends_at(toys.pk, now=at(4 + QUARTER)) == at(5 + QUARTER)
    assert pauses.ends_at(toys.pk, now=at(5 + QUARTER)) is None
    assert [partner(pair, QUARTER + seconds) for seconds in (5, 89, 90)] == ["here", "unsure", "lost"]


def test_to_pause_what_is_paused_makes_it_no_longer(toys):
    assert pause(toys, 0) == pause(toys, 300) == at(QUARTER)
    assert Pause.objects.count() == 1
    for seconds in (400, 500):
        go_on(toys, seconds)
    assert Pause.objects.get().ends_at == at(400)
    kinds = Event.objects.filter(subject=events.name(toys), kind__in=("project.paused", "project.resumed"))
    assert list(kinds.order_by("pk").values_list("kind", flat=True)) == ["project.paused", "project.resumed"]


def test_the_pause_of_one_project_is_none_of_another(toys, pair):
    pause(toy_project("others"), 0)
    assert partner(pair, 90) == "lost"


def test_work_of_one_person_can_not_be_paused(nq, lena):
    with pytest.raises(NotFound):
        pauses.begin(nq, by=lena, now=NOON)
    assert not Pause.objects.exists()


def test_the_turn_stands_still_and_what_is_sent_meanwhile_is_taken(toys, pair):
    assert [turn(pair, seat, 59) for seat in ("asker", "teller")] == ["", "thinking"]
    pause(toys, 59)
    assert [turn(pair, seat, 800) for seat in ("asker", "teller")] == ["", "thinking"]
    go_on(toys, 800)
    assert turn(pair, "asker", 801) == "reminded"
    assert [turn(pair, "teller", seconds) for seconds in (920, 921)] == ["thinking", "quiet"]
    pause(toys, 1000)
    pair.say("asker", "ask-1", now=at(1010))
    assert pair.annotation.responses.count() == 1


def test_who_has_asked_for_more_time_keeps_it(toys, pair):
    held = pair.row("asker")
    turn_time.ask_for_more(held, by=held.annotator, now=at(120))
    pause(toys, 140)
    assert turn(pair, "asker", 900) == "told"
    go_on(toys, 900)
    assert [turn(pair, "asker", seconds) for seconds in (909, 910)] == ["told", ""]
    assert [turn(pair, "teller", seconds) for seconds in (999, 1000)] == ["slow", "thinking"]


def test_work_that_everybody_has_left_does_not_end_in_a_pause(toys, pair):
    pause(toys, 300)
    assert presence.end_abandoned(now=at(300 + QUARTER)) == 0
    assert presence.end_abandoned(now=at(599 + QUARTER)) == 0
    assert presence.end_abandoned(now=at(600 + QUARTER)) == 1


def test_the_lease_of_a_pair_does_not_run_in_a_pause_and_that_of_others_does(toys, pair):
    pair.talk()
    held = claiming.claim(toys, "review", by=join(toys, "judy"), now=NOON)
    pair = Pair.seated(toys, "uma", "vic")
    Lease.objects.filter(closed_at=None).update(expires_at=NOON + timedelta(minutes=30))
    for lease in Lease.objects.filter(closed_at=None).select_related("queue"):
        lease.queue.lease_minutes = 30
        lease.queue.save()
    pause(toys, 29 * 60)
    assert leases.expire_overdue(now=at(44 * 60)) == 1
    assert (reload(held).state, pair.row("asker").state) == ("expired", "leased")
    assert leases.expire_overdue(now=at(45 * 60 - 1)) == 0
    assert leases.expire_overdue(now=at(45 * 60)) == 1
    assert {pair.row(seat).state for seat in pair.held} <= {"expired", "returned"}


def test_nobody_is_offered_a_partner_in_a_pause_and_then_in_the_old_order(toys):
    lobby = Lobby(toys)
    pause(toys, 0)
    for seconds, name in enumerate(("ann", "tom", "tam")):
        lobby.enters(name, seconds)
    assert lobby.line() == ["ann waiting", "tom waiting", "tam waiting"]
    go_on(toys, 25)
    lobby.polls("tam", 26)
    assert lobby.line() == ["ann offered", "tom offered", "tam waiting"]


def test_an_offer_ends_without_blame_when_a_pause_begins(toys):
    lobby = Lobby(toys)
    lobby.enters("ann")
    lobby.enters("tom", 1)
    pause(toys, 10)
    assert lobby.is_here("tom", 12).state == "waiting"
    assert [lobby.ticket(name).misses for name in ("ann", "tom")] == [0, 0]
    assert lobby.line() == ["ann waiting", "tom waiting"]
    assert not Assignment.objects.exists()


def test_nobody_leaves_the_line_for_being_absent_or_silent_in_a_pause(toys):
    lobby = Lobby(toys)
    lobby.enters("ann")
    pause(toys, 20)
    assert lobby.enters("tom", 800).state == "waiting"
    assert lobby.line() == ["ann waiting", "tom waiting"]
    go_on(toys, 800)
    lobby.polls("tom", 809)
    assert "ann offered" in lobby.line()


def test_who_waits_in_a_pause_may_still_go_on_alone(with_alone):
    with_alone.enters("ann")
    pause(with_alone.project, 30)
    assert waiting.why_not_alone(with_alone.ticket("ann"), now=at(60)) is None


@pytest.mark.django_db(transaction=True)
def test_everybody_at_work_and_in_the_lobby_is_told_when_it_begins_and_ends(db):
    toys = toy_project()
    pair = Pair.seated(toys)
    Lobby(toys).enters("wim")
    heard: list[pokes.Poke] = []
    pokes.subscribe(heard.append)
    try:
        pause(toys, 1)
        both = {
            pokes.Poke(pokes.topic_of_work(pair.annotation.pk), beside=True),
            pokes.Poke(pokes.topic_of_lobby(toys.pk, "talk")),
        }
        assert set(heard) == both
        heard.clear()
        go_on(toys, 2)
        assert set(heard) == both
    finally:
        pokes.unsubscribe(heard.append)


def test_pauses_that_overlap_count_once(toys, pair):
    PauseFactory(project=None, began_at=at(40), ends_at=at(300))
    PauseFactory(project=toys, began_at=at(200), ends_at=at(400))
    PauseFactory(project=toys, began_at=at(220), ends_at=at(240))
    clock = clocks.clock(toys.pk, since=NOON)
    assert clock.pauses == ((at(40), at(400)),)
    assert [clock.passed(at(since), at(500)).total_seconds() for since in (0, 50, 390, 450)] == [140, 100, 100, 50]


def test_after_the_server_was_down_nobody_is_lost_who_was_there_before(toys, pair):
    for seat in pair.held:
        presence.note(pair.row(seat), now=at(100))
    assert pauses.note_outage(now=at(500))
    assert partner(pair, 501) == "here"
    assert presence.end_abandoned(now=at(800)) == 0
    assert [partner(pair, seconds) for seconds in (589, 590)] == ["unsure", "lost"]


def test_after_the_server_was_down_the_line_is_as_it_was_and_nobody_has_missed_an_offer(toys):
    lobby = Lobby(toys)
    for seconds, name in enumerate(("ann", "tom", "tam")):
        lobby.enters(name, seconds)
    assert pauses.note_outage(now=at(200))
    lobby.polls("tam", 201)
    assert lobby.line() == ["ann offered", "tom offered", "tam waiting"]
    assert {ticket.misses for ticket in Ticket.objects.all()} == {0}


@pytest.mark.parametrize(("last", "start", "noted"), [(100, 114, False), (100, 115, True), (100, 3701, False)])
def test_another_process_was_up_or_everybody_has_gone_home(toys, pair, last, start, noted):
    presence.note(pair.row("asker"), now=at(last))
    assert pauses.note_outage(now=at(start)) is noted
    assert Pause.objects.exists() is noted


def test_where_nobody_works_together_a_start_of_the_server_leaves_nothing(nq):
    assert not pauses.note_outage(now=NOON)
    assert project("empty", "toy").pauses.count() == 0
