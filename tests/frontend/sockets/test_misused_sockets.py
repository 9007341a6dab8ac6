"""P33: a socket is closed at any frame that a page of ours would not send, and once its person has lost the right."""

from __future__ import annotations

import struct

import pytest
from django.contrib.sessions.models import Session
from django.db import InterfaceError
from django.test import Client

from annotation import clock
from annotation.models import Membership, User
from frontend.sockets import watcher
from frontend.sockets.application import HERE
from frontend.sockets.open_sockets import ENDED, MISUSED
from tasks.engine import leases, skip_and_return
from tests.people import join
from tests.signed_in import session_of
from tests.waiting.polling import until

TOO_LARGE, PROTOCOL_ERROR, NOT_TEXT = 1009, 1002, 1007
CUT_OFF = 1006
"""What a client sees that was still sending: the reset of its connection overtakes the code."""
OTHERS = {
    "empty": "",
    "not JSON": "{here",
    "other JSON": '{"here": false}',
    "more JSON": '{"here": true, "x": 1}',
    "a poke": '{"poke": "work"}',
    "deep JSON": "[" * 100,
    "spaces": HERE + " ",
    "binary": HERE.encode(),
    "nothing in bytes": b"",
}


@pytest.fixture
def listener(server, pair, place):
    return server.open(place, pair.asker)


def test_any_other_frame_closes_the_socket(server, pair, place):
    closed = {}
    for what, frame in OTHERS.items():
        listener = server.open(place, pair.asker)
        listener.connection.send(frame)
        closed[what] = listener.closed_with()
    assert closed == dict.fromkeys(OTHERS, MISUSED)


def test_a_giant_frame_closes_the_socket(listener):
    listener.send("x" * 2**20)
    assert listener.closed_with() in (TOO_LARGE, CUT_OFF)


def test_a_giant_message_in_small_frames_closes_the_socket(listener):
    listener.send(["x" * 20] * 100)
    assert listener.closed_with() in (TOO_LARGE, CUT_OFF)


def test_a_flood_closes_the_socket(listener):
    listener.send(*[HERE] * 50)
    assert listener.closed_with() in (MISUSED, CUT_OFF)


def masked(first: int, payload: bytes = b"", *, mask: int = 0x80, length: int | None = None) -> bytes:
    """A frame by hand, whose masking key is zero."""
    size = len(payload) if length is None else length
    if size < 126:
        return struct.pack("!BB", first, mask | size) + (b"\0" * 4 if mask else b"") + payload
    return struct.pack("!BBQ", first, mask | 127, size) + b"\0" * 4 + payload


BROKEN = {
    "not masked": (masked(0x81, HERE.encode(), mask=0), PROTOCOL_ERROR),
    "of a kind that does not exist": (masked(0x83, b"x"), PROTOCOL_ERROR),
    "compressed, which was not agreed": (masked(0xC1, b"x"), PROTOCOL_ERROR),
    "a continuation of nothing": (masked(0x80, b"x"), PROTOCOL_ERROR),
    "a ping in pieces": (masked(0x09, b"x"), PROTOCOL_ERROR),
    "a ping that is too long": (masked(0x89, b"x" * 200), TOO_LARGE),
    "text that is not UTF-8": (masked(0x81, b"\xff\xfe"), NOT_TEXT),
    "one that says it will be huge": (masked(0x81, length=2**62), TOO_LARGE),
}


def test_a_broken_frame_closes_the_socket(server, pair, place):
    closed = {}
    for what, (frame, _code) in BROKEN.items():
        listener = server.open(place, pair.asker)
        listener.connection.socket.sendall(frame)
        closed[what] = listener.closed_with()
    assert closed == {what: code for what, (_frame, code) in BROKEN.items()}


def test_nothing_is_sent_any_more_once_a_socket_was_misused(listener, pair):
    listener.connection.socket.sendall(masked(0x82, b"x") + masked(0x81, HERE.encode()) * 5)
    pair.say("asker", "ask-1", now=clock.now())
    assert listener.last_frames() == []
    assert listener.closed_with() == MISUSED


def test_many_pings_are_answered_and_others_served(listener, server, pair):
    for _ in range(500):
        listener.connection.ping()
    teller = server.open(f"/ws/work/{pair.row('teller').uuid}/", pair.teller)
    pair.say("asker", "ask-1", now=clock.now())
    assert teller.next() == {"poke": "work"}
    assert listener.frames() == []


def signs_out(pair, key):
    client = Client()
    client.cookies["goldfinch_session"] = key
    assert client.post("/logout/").status_code == 302


def lets_the_session_expire(pair, key):
    Session.objects.filter(session_key=key).update(expire_date=clock.now())


def is_deactivated(pair, key):
    User.objects.filter(pk=pair.asker.pk).update(is_active=False)


def gets_another_password(pair, key):
    pair.asker.set_password("another password")
    pair.asker.save()


def is_taken_out_of_the_project(pair, key):
    Membership.objects.filter(user=pair.asker).update(ended_at=clock.now())


def leaves(pair, key):
    skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=clock.now())


def is_left(pair, key):
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=clock.now())


def runs_out_of_time(pair, key):
    leases.expire_early(pair.row("asker").lease, now=clock.now())


ENDINGS = [
    signs_out,
    lets_the_session_expire,
    is_deactivated,
    gets_another_password,
    is_taken_out_of_the_project,
    leaves,
    is_left,
    runs_out_of_time,
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_socket_of_somebody_who_loses_the_right_is_closed(server, pair, place, ending):
    key = session_of(pair.asker)
    listener = server.open(place, session=key)
    listener.frames()
    ending(pair, key)
    assert listener.closed_with() == ENDED


def test_it_is_closed_too_after_a_look_that_failed_since_the_connection_was_broken(server, pair, place, monkeypatch):
    works, looks = watcher.look, []

    def look(places, *, now):
        looks.append(now)
        if len(looks) == 1:
            raise InterfaceError("connection already closed")
        return works(places, now=now)

    monkeypatch.setattr(watcher, "look", look)
    key = session_of(pair.asker)
    listener = server.open(place, session=key)
    until(lambda: looks)
    signs_out(pair, key)
    assert listener.closed_with() == ENDED


@pytest.mark.parametrize("ending", [signs_out, lets_the_session_expire, is_deactivated, is_taken_out_of_the_project])
def test_so_is_a_socket_in_the_lobby(server, pair, ending):
    key = session_of(pair.asker)
    listener = server.open("/ws/projects/toys/talk/lobby/", session=key)
    listener.frames()
    ending(pair, key)
    assert listener.closed_with() == ENDED


def test_nobody_else_s_socket_is_closed(server, project, pair, place):
    other = server.open("/ws/projects/toys/talk/lobby/", join(project, "eve"))
    listener = server.open(place, pair.asker)
    is_deactivated(pair, "")
    assert listener.closed_with() == ENDED
    assert other.frames() == []
