"""Who hears what over a socket: that something has changed for them, and nothing of what was said."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction

from annotation import clock, randomness
from annotation.models import Role
from frontend.sockets import watcher
from tasks.engine import skip_and_return
from tasks.models import Assignment
from tasks.pairs import lobby, pauses, side_chat
from tests.people import join
from tests.protocols.toy.building import Pair
from tests.waiting.polling import until

WORK, PARTNER, LOBBY = ({"poke": kind} for kind in ("work", "partner", "lobby"))


@pytest.fixture
def asker(server, pair, place):
    return server.open(place, pair.asker)


@pytest.fixture
def teller(server, pair):
    return server.open(f"/ws/work/{pair.row('teller').uuid}/", pair.teller)


def test_who_waits_is_poked_when_the_partner_has_answered_and_who_answered_is_not(pair, asker, teller):
    pair.say("asker", "ask-1", now=clock.now())
    assert teller.next() == WORK
    assert (asker.frames(), teller.frames()) == ([], [])
    pair.say("teller", "tell-1", now=clock.now())
    assert asker.next() == WORK
    assert (asker.frames(), teller.frames()) == ([], [])


def test_nothing_is_said_of_what_is_rolled_back(pair, teller):
    with transaction.atomic():
        pair.say("asker", "ask-1", now=clock.now())
        transaction.set_rollback(True)
    assert teller.frames() == []


def test_other_pairs_hear_nothing(server, project, pair, asker, teller):
    others = Pair.seated(project, "una", "tim", now=clock.now())
    theirs = server.open(f"/ws/work/{others.row('teller').uuid}/", others.teller)
    pair.say("asker", "ask-1", now=clock.now())
    assert teller.next() == WORK
    assert theirs.frames() == []


def test_a_message_in_the_chat_pokes_what_stands_beside_the_work(pair, asker, teller):
    held = pair.row("asker")
    side_chat.write(held, by=pair.asker, text="May I?", to_lead=False, key=randomness.handle(), now=clock.now())
    assert teller.next() == PARTNER
    assert (asker.frames(), teller.frames()) == ([], [])


def test_when_a_lead_pauses_the_project_and_goes_on_both_partners_are_poked(project, pair, asker, teller):
    lena = join(project, "lena", Role.LEAD)
    for change in (pauses.begin, pauses.end):
        change(project, by=lena, now=clock.now())
        assert (asker.next(), teller.next()) == (PARTNER, PARTNER)


def test_who_is_left_is_poked(pair, asker):
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=clock.now())
    assert asker.next() == WORK


def test_a_partner_who_is_not_heard_of_and_comes_back_is_announced(pair, asker, monkeypatch):
    monkeypatch.setattr(watcher, "EVERY", 0.05)
    away = clock.now() - timedelta(seconds=30)
    Assignment.objects.filter(pk=pair.held["teller"].pk).update(seen_at=away, claimed_at=away)
    assert asker.next() == PARTNER
    Assignment.objects.filter(pk=pair.held["teller"].pk).update(seen_at=clock.now())
    assert asker.next() == PARTNER


def test_an_open_socket_says_that_its_person_is_here(pair, asker, monkeypatch):
    monkeypatch.setattr(watcher, "EVERY", 0.05)
    monkeypatch.setattr(watcher, "NOTED_EVERY", 0)
    until(lambda: pair.row("asker").seen_at)
    before = pair.row("asker").seen_at
    asker.frames()
    until(lambda: pair.row("asker").seen_at != before)
    assert pair.row("teller").seen_at is None


def test_people_in_a_lobby_are_poked_when_a_partner_is_found_for_them(server, project):
    here = server.open("/ws/projects/toys/talk/lobby/", join(project, "ann"))
    beside = server.open("/ws/projects/toys/talk/lobby/", join(project, "una"))
    now = clock.now()
    ann = lobby.enter(project, "talk", by=join(project, "ann"), now=now)
    assert here.frames() == []
    tom = lobby.enter(project, "talk", by=join(project, "tom"), now=now)
    assert here.next() == LOBBY
    for ticket in (ann, tom):
        lobby.confirm(ticket, by=ticket.annotator, now=now)
    assert here.next() == LOBBY
    assert beside.frames() == []


def test_a_relay_that_misses_a_message_of_another_process_pokes_everybody(server, teller):
    def hears(number, **more):
        message = {"type": "poke", "from": "elsewhere", "number": number, **more}
        server.loop.call_soon_threadsafe(server.sockets.relay._take, message)

    hears(7)
    hears(8, topic="work.0", to=None, but=None)
    assert teller.frames() == []
    hears(10)
    assert teller.next() == WORK
