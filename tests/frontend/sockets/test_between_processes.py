"""Two web processes and Redis: pokes reach the sockets of both, and come back after Redis was killed in mid-talk."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from frontend.sockets.application import HERE
from frontend.sockets.open_sockets import LATER
from tests import servers
from tests.bench.turns import Person
from tests.forking import ForkedSite, ForkServer
from tests.site import Site
from tests.waiting.polling import until

WORK = {"poke": "work"}
SECONDS = 60


class Seat:
    """One person of a pair at one of the processes, over HTTP and by socket."""

    def __init__(self, site: Site, session: str, work: str, running: ExitStack) -> None:
        self.person, self.site, self._session, self._running = Person(site.url, session, work), site, session, running

    def listen(self) -> None:
        """Open a socket, as soon as one is accepted."""
        headers = {"Cookie": f"goldfinch_session={self._session}"}
        address = f"ws{self.site.url.removeprefix('http')}/ws{self.person.work}"

        def accepted() -> bool:
            made = connect(address, origin=self.site.url, additional_headers=headers, proxy=None)
            self.socket = self._running.enter_context(made)
            self.socket.send(HERE)
            return self.socket.recv(SECONDS) == HERE

        until(accepted, not_yet=(InvalidStatus, ConnectionClosed))

    def next(self) -> dict:
        return json.loads(self.socket.recv(SECONDS))


@pytest.fixture
def redis_server(tmp_path):
    if "TEST_REDIS_URL" in os.environ:
        pytest.skip("the Redis of TEST_REDIS_URL is not ours to kill")
    running = [servers.redis_server(tmp_path)]
    yield running
    running[-1].stop()


@pytest.fixture
def pair(tmp_path, redis_server):
    """An asker and a teller, each at a process of their own."""
    environment = {"GOLDFINCH_PROTOCOLS": "tests.protocols.toy", "REDIS_URL": redis_server[0].url}
    one = ForkedSite(tmp_path, **environment)
    one.prepare()
    # What the other says is in a folder of its own, and all else in that of the first.
    (tmp_path / "other").mkdir()
    other = ForkedSite(tmp_path / "other", **one.environment)
    with ForkServer(one.environment) as fork_server, ExitStack() as running:
        one.forked_by = other.forked_by = fork_server
        [seats] = json.loads(one.python("tests.bench.turns", "1"))
        for site in (one, other):
            running.callback(site.kill)
            site.start()
        yield [Seat(site, *seat, running) for site, seat in zip((one, other), seats, strict=True)]


def test_a_poke_reaches_a_partner_at_another_process_also_after_redis_was_killed(pair, redis_server, tmp_path):
    asker, teller = pair
    for seat in pair:
        seat.listen()
    asker.person.commit("ask-1", "A question", 0)
    assert teller.next() == WORK
    teller.person.commit("tell-1", "An answer", 1)
    assert asker.next() == WORK

    redis_server[0].crash()
    for seat in pair:
        with suppress(ConnectionClosed):
            while True:
                seat.next()
        assert seat.socket.close_code == LATER
        with pytest.raises(RuntimeError, match="answered 503"):
            seat.person.ask("GET", "now/")

    port = urlsplit(redis_server[0].url).port
    redis_server.append(servers.redis_server(tmp_path, port=port))
    for seat in pair:
        seat.listen()
    asker.person.commit("ask-2", "Another question", 2)
    assert teller.next() == WORK


@pytest.mark.in_test_all(
    shown_by="tests/frontend/sockets/test_between_processes.py"
    "::test_a_poke_reaches_a_partner_at_another_process_also_after_redis_was_killed"
)
def test_a_server_that_starts_while_redis_is_down_has_sockets_once_it_is_up(pair, redis_server, tmp_path):
    asker, teller = pair
    redis_server[0].stop()
    teller.site.stop()
    teller.site.start(urlsplit(teller.site.url).port)
    teller.person.connection.close()
    with pytest.raises(RuntimeError, match="answered 503"):
        teller.person.ask("GET", "now/")
    redis_server.append(servers.redis_server(tmp_path, port=urlsplit(redis_server[0].url).port))
    for seat in pair:
        seat.listen()
    asker.person.commit("ask-1", "A question", 0)
    assert teller.next() == WORK
