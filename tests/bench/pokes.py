"""From one person's POST to the partner's page: by sockets at the load of 200 pairs, and page to page in Chromium.

`pairs`: 200 pairs of the toy protocol say something every four seconds each (`messages` in all). `arrived_ms` is from
the beginning of the POST until the partner, poked over a socket, has fetched the live part with the words in it
(median, 95 %, longest). `lost`: the partner was not poked about the words, or did not find them, within a
minute; `doubled`, `out_of_order`: of the words in it. Some more pairs talk before and do not count. One web process on
SQLite without Redis (`in_memory`, also with fewer and with 500 pairs), and two on PostgreSQL with Redis, where partners
are at different processes.
`processor_share` is how much of one core the web processes used; near 1, they could not keep up.

`page_to_page`: conversations in two pages of Chromium. `seen_ms` is from the key that sends until the partner's page
shows the words (median, 95 %, longest). `closed_ms`: from the response to a sign-out until the socket is closed.

Server, database and clients share the machine's cores. Targets: 50 ms in memory, 100 ms through Redis and with 500
pairs, and 150 ms from page to page, each for 95 %; a second until a socket is closed; nothing lost, doubled or out of
order.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as connect_and_wait

from tests.bench.databases import production_servers
from tests.bench.turns import TOY, Person
from tests.bench.yardstick import beside_yardstick, processor_seconds
from tests.site import Site

PAIRS, SAID, EVERY = 200, 5, 4.0
WARM = 16
"""Pairs who talk before: connections to the database, with PostgreSQL's own caches, are made when they are needed."""
IN_MEMORY = (50, 100, PAIRS, 500)
TOO_LATE = 60.0
WORDS = re.compile(rb"<li>(words \d+)</li>")
HERE, POKE = '{"here": true}', '{"poke": "work"}'
CLOSINGS = 20


def spread(figures: list[float]) -> list[float]:
    """The median, the 95th percentile and the maximum."""
    ordered = sorted(figures)
    return [round(each, 1) for each in (statistics.median(ordered), ordered[int(0.95 * len(ordered))], ordered[-1])]


class Seat:
    """One person with an open socket."""

    def __init__(self, site: Site, session: str, work: str) -> None:
        self.person, self.poked = Person(site.url, session, work), asyncio.Event()
        self.person.headers["Accept-Encoding"] = "identity"
        self.address, self.origin = f"ws{site.url.removeprefix('http')}/ws/work/{work}/", site.url
        self.cookie = {"Cookie": f"goldfinch_session={session}"}

    async def listen(self) -> ClientConnection:
        """Open the socket; pokes set `poked` from now on."""
        socket = await connect(self.address, origin=self.origin, additional_headers=self.cookie, proxy=None)
        self.tasks = [asyncio.create_task(each(socket)) for each in (self._hear, self._stay)]
        return socket

    async def next(self) -> list[int]:
        """Wait for a poke, and fetch; returns the numbers of the messages that are there now, in order."""
        await self.poked.wait()
        self.poked.clear()
        content, _took = await asyncio.to_thread(self.person.ask, "GET", "now/")
        return [int(each.split()[1]) for each in WORDS.findall(content)]

    async def _hear(self, socket: ClientConnection) -> None:
        async for frame in socket:
            if frame == POKE:
                self.poked.set()

    async def _stay(self, socket: ClientConnection) -> None:
        """Say every few seconds that the person is here, as a page does."""
        while True:
            await socket.send(HERE)
            await asyncio.sleep(5)


async def talk(pairs: list[tuple[Seat, Seat]], found: dict[str, Any]) -> None:
    """All pairs talk at their pace."""
    loop, rng = asyncio.get_running_loop(), Random("pokes")
    sys.setswitchinterval(0.0005)  # or else the clients' own threads keep pokes from their event loop for 5 ms each
    loop.set_default_executor(ThreadPoolExecutor(24))

    async def converse(pair: tuple[Seat, Seat]) -> None:
        await asyncio.sleep(EVERY * rng.random())
        for number in range(SAID):
            begun = loop.time()
            turn, place = divmod(number, 2)
            listener = pair[1 - place]
            step = f"{('ask', 'tell')[place]}-{turn + 1}"
            said = asyncio.to_thread(pair[place].person.commit, step, f"words {number}", number)
            sending = asyncio.create_task(said)
            words: list[int] = []
            try:
                async with asyncio.timeout(TOO_LATE):
                    while number not in words:
                        words = await listener.next()
                found["arrived_ms"].append(1000 * (loop.time() - begun))
            except TimeoutError:
                found["lost"] += 1
            found["doubled"] += len(words) - len(set(words))
            found["out_of_order"] += words != sorted(words)
            await sending
            await asyncio.sleep(max(0, begun + EVERY - loop.time()))

    sockets = [await each.listen() for pair in pairs for each in pair]
    await asyncio.gather(*map(converse, pairs))
    for pair in pairs:
        for each in pair:
            for task in each.tasks:
                task.cancel()
    await asyncio.gather(*(socket.close() for socket in sockets))


def _nothing() -> dict[str, Any]:
    return {"arrived_ms": [], "lost": 0, "doubled": 0, "out_of_order": 0}


def measure_pairs(sites: list[Site], made: list[Any]) -> dict[str, Any]:
    """The pairs talk; partners are at different sites if there are several."""
    seats = [(Seat(sites[0], *asker), Seat(sites[-1], *teller)) for asker, teller in made]
    asyncio.run(talk(seats[:WARM], _nothing()))
    pairs, found = seats[WARM:], _nothing()
    before, begun = sum(processor_seconds(site.server.pid) for site in sites), time.monotonic()
    asyncio.run(talk(pairs, found))
    spent = sum(processor_seconds(site.server.pid) for site in sites) - before
    return {
        "web_processes": len(sites),
        "pairs": len(pairs),
        "messages": len(found["arrived_ms"]),
        "processor_share": round(spent / (time.monotonic() - begun), 2),
        **found,
        "arrived_ms": spread(found["arrived_ms"]),
    }


def in_memory(pairs: int) -> dict[str, Any]:
    """One process on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), GOLDFINCH_PROTOCOLS=TOY).prepare()
        made = json.loads(site.python("tests.bench.turns", str(WARM + pairs)))
        site.start()
        try:
            return beside_yardstick(lambda: measure_pairs([site], made))
        finally:
            site.stop()


def through_redis() -> dict[str, Any]:
    """Two processes on PostgreSQL and Redis."""
    with production_servers() as (place, urls), ExitStack() as running:
        sites = [Site(place, GOLDFINCH_PROTOCOLS=TOY, **urls) for _ in range(2)]
        sites[0].prepare()
        made = json.loads(sites[0].python("tests.bench.turns", str(WARM + PAIRS)))
        for site in sites:
            running.callback(site.kill)
            site.start()
        return beside_yardstick(lambda: measure_pairs(sites, made))


def page_to_page() -> dict[str, Any]:
    """In a process with the models loaded, which the browser tests' desk needs."""
    with tempfile.TemporaryDirectory() as folder:
        said = Site(Path(folder)).prepare().python("tests.bench.page_to_page", folder)
        took = json.loads(said.splitlines()[-1])
    return {"messages": len(took), "seen_ms": spread(took)}


def signs_out(person: Person) -> None:
    """End the sign-in of this person."""
    person.connection.request("POST", "/logout/", "", person.headers)
    person.connection.getresponse().read()


def closing() -> dict[str, Any]:
    """How soon a socket is closed after its person has signed out."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), GOLDFINCH_PROTOCOLS=TOY).prepare()
        made = json.loads(site.python("tests.bench.turns", str(CLOSINGS)))
        site.start()
        try:
            for [session, work], _partner in made:
                headers = {"Cookie": f"goldfinch_session={session}"}
                address = f"ws{site.url.removeprefix('http')}/ws/work/{work}/"
                with connect_and_wait(address, origin=site.url, additional_headers=headers, proxy=None) as socket:
                    socket.send(HERE)
                    socket.recv(TOO_LATE)
                    time.sleep(Random(session).random())
                    signs_out(Person(site.url, session, work))
                    begun = time.monotonic()
                    with suppress(ConnectionClosed):
                        while True:
                            socket.recv(TOO_LATE)
                    took.append(1000 * (time.monotonic() - begun))
        finally:
            site.stop()
    return {"sign_ins": len(took), "closed_ms": spread(took)}


def measure_all() -> dict[str, Any]:
    """All of it."""
    return {
        "pairs": {f"in_memory_{pairs}": in_memory(pairs) for pairs in IN_MEMORY} | {"through_redis": through_redis()},
        "page_to_page": beside_yardstick(page_to_page),
        "closing": closing(),
    }
