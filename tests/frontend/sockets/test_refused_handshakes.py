"""P33: a socket opens only for a page of ours, somebody signed in, and their own open work or a lobby of their project.

Whatever is wrong, the refusal is the same as for an address that leads nowhere.
"""

from __future__ import annotations

import socket

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import caches

from annotation import clock
from annotation.models import Membership, User
from tasks.engine import skip_and_return
from tests.factories.people import UserFactory
from tests.people import join
from tests.signed_in import session_of

LOBBY = "/ws/projects/toys/talk/lobby/"


@pytest.fixture
def nowhere(server):
    """The refusal of an address that leads nowhere."""
    found = server.refusal("/ws/nowhere/")
    assert found[:2] == (403, b"")
    return found


ORIGINS = {
    "none": None,
    "of another site": "https://evil.example",
    "opaque": "null",
    "of another port": "http://127.0.0.1:1",
    "of another scheme": "https://{host}",
    "beginning like ours": "http://{host}.evil.example",
    "with a user": "http://{host}@evil.example",
    "of a name that means the same": "http://localhost:{port}",
    "that no parser reads": "http://[half",
    "with a path": "http://{host}/",
}


def test_an_origin_that_is_not_the_page_s_own_is_refused(server, nowhere, pair, place):
    refused = {}
    for what, template in ORIGINS.items():
        origin = template and template.format(host=server.host, port=server.host.split(":")[1])
        refused[what] = server.refusal(place, pair.asker, origin=origin)
    assert refused == dict.fromkeys(ORIGINS, nowhere)


def test_two_origins_are_refused(server, nowhere, pair, place):
    assert server.refusal(place, pair.asker, headers={"origin": "https://evil.example"})[0] == 400


HOSTS = ("evil.example", "127.0.0.1.evil.example", "x y", "")


def test_a_host_that_the_site_does_not_serve_is_refused(server, pair, place):
    answers = {}
    for name in HOSTS:
        head = (
            f"GET {place} HTTP/1.1\r\nHost: {name}\r\nOrigin: http://{name}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Cookie: goldfinch_session={session_of(pair.asker)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", int(server.host.split(":")[1])), timeout=30) as client:
            client.sendall(head.encode())
            answers[name] = client.recv(1000).split()[1]
    assert answers == dict.fromkeys(HOSTS, b"403")


def test_without_a_sign_in_it_is_refused(server, nowhere, place):
    assert server.refusal(place) == nowhere
    assert server.refusal(place, session="0123456789abcdefghijklmnopqrstuv") == nowhere
    assert server.refusal(LOBBY) == nowhere


def test_an_expired_session_is_refused_even_if_the_cache_still_has_it(server, nowhere, pair, place):
    key = session_of(pair.asker)
    Session.objects.filter(session_key=key).update(expire_date=clock.now())
    assert server.refusal(place, session=key) == nowhere
    caches["default"].clear()
    assert server.refusal(place, session=key) == nowhere


def test_a_sign_in_from_before_the_password_was_changed_is_refused(server, nowhere, pair, place):
    key = session_of(pair.asker)
    pair.asker.set_password("another password")
    pair.asker.save()
    assert server.refusal(place, session=key) == nowhere


def test_who_was_deactivated_is_refused(server, nowhere, pair, place):
    key = session_of(pair.asker)
    User.objects.filter(pk=pair.asker.pk).update(is_active=False)
    assert server.refusal(place, session=key) == nowhere
    assert server.refusal(LOBBY, session=key) == nowhere


def test_another_s_work_is_refused_like_work_that_does_not_exist(server, nowhere, project, pair, place):
    assert server.refusal(place, pair.teller) == nowhere
    assert server.refusal(place, join(project, "eve")) == nowhere
    assert server.refusal(f"/ws/work/{pair.annotation.uuid}/", pair.asker) == nowhere
    assert server.refusal("/ws/work/00000000-0000-4000-8000-000000000000/", pair.asker) == nowhere


PATHS = ("", "/", "/ws/", "/ws/work/1/", "/ws/work/../../", "/work/", "/%FF/", "/ws/work/x%00/")


def test_an_address_that_leads_nowhere_is_refused(server, nowhere, pair):
    assert {path: server.refusal(path, pair.asker) for path in PATHS} == dict.fromkeys(PATHS, nowhere)


def test_work_that_has_ended_is_refused(server, nowhere, pair, place):
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=clock.now())
    assert server.refusal(place, pair.asker) == nowhere


def test_whose_membership_has_ended_is_refused(server, nowhere, pair, place):
    Membership.objects.filter(user=pair.asker).update(ended_at=clock.now())
    assert server.refusal(place, pair.asker) == nowhere
    assert server.refusal(LOBBY, pair.asker) == nowhere


def test_a_lobby_is_refused_to_strangers_and_where_there_is_none(server, nowhere, project, transactional_db):
    stranger, member = UserFactory(username="stranger"), join(project, "ann")
    assert server.refusal(LOBBY, stranger) == nowhere
    for path in ("/ws/projects/absent/talk/lobby/", "/ws/projects/toys/review/lobby/", "/ws/projects/toys/x/lobby/"):
        assert server.refusal(path, member) == nowhere


def test_one_person_has_twelve_sockets_at_most(server, nowhere, pair, place):
    opened = [server.open(place, pair.asker) for _ in range(12)]
    assert server.refusal(place, pair.asker) == nowhere
    opened[0].connection.close()
    opened[1].frames()
    server.open(place, pair.asker).frames()


def test_the_control_what_a_page_of_ours_opens_is_accepted(server, project, pair, place):
    assert server.open(place, pair.asker).frames() == []
    assert server.open(LOBBY, join(project, "eve")).frames() == []
