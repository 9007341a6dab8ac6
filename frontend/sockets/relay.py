"""Carry pokes from the threads that commit to the sockets of this process, and to the other web processes.

Within a process a poke is handed to the event loop directly. The others get it through Redis (publish and subscribe),
at most once: messages are numbered, and who misses one pokes all its sockets. Every process also sends itself
a message every few seconds; while none comes back, it has no sockets, and its pages poll.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import orjson
from django.conf import settings
from redis.asyncio import Redis

from frontend.sockets.open_sockets import LATER, OpenSockets, Trouble
from tasks.engine.pokes import Poke

CHANNEL = "goldfinch:pokes"
BEAT = 2.0
"""Seconds between two messages to oneself."""
SILENCE = 6.0
"""Seconds without any message after which the connection counts as broken."""
PATIENCE = 2.0
"""Seconds for one operation of Redis."""
MOST_WAITING = 10_000
"""Pokes that wait for Redis; more are dropped, and noticed by the numbers."""

Message = dict[str, Any]


class Relay:
    """`loop` returns the server's event loop, None before it runs. Without REDIS_URL this is the only web process."""

    def __init__(self, sockets: OpenSockets, *, loop: Callable[[], asyncio.AbstractEventLoop | None]) -> None:
        self._sockets, self._loop = sockets, loop
        url = settings.REDIS_URL
        self._redis: Redis | None = Redis.from_url(url, socket_connect_timeout=PATIENCE) if url else None
        self._name = uuid.uuid4().hex
        self._sent = 0
        self._last: dict[str, int] = {}
        self._waiting: deque[Message] = deque(maxlen=MOST_WAITING)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wake = asyncio.Event()
        self._trouble = Trouble("Pokes could not be passed on; pages look for news by themselves.")
        self.works = True
        """Whether pokes of other processes arrive here."""

    def poke(self, poke: Poke) -> None:
        """Pass a poke on, from any thread; never waits and never fails."""
        loop = self._loop()
        if loop is not None:
            with suppress(RuntimeError):  # the server has just stopped
                loop.call_soon_threadsafe(self._poke, poke)

    def listen(self) -> None:
        """Begin to receive the pokes of other processes, unless that has begun."""
        if self._redis is not None:
            self._run("listening", self._listen)
            self._run("beating", self._beat)

    def _poke(self, poke: Poke) -> None:
        self._sockets.deliver(poke)
        if self._redis is not None:
            self._send({"topic": poke.topic, "to": poke.to, "but": poke.but, "beside": poke.beside})

    def _run(self, name: str, work: Callable[[], Any]) -> None:
        if name not in self._tasks or self._tasks[name].done():
            self._tasks[name] = asyncio.get_running_loop().create_task(work())

    def _send(self, message: Message) -> None:
        self._sent += 1
        self._waiting.append({"from": self._name, "number": self._sent, **message})
        self._wake.set()
        self._run("sending", self._send_all)

    async def _send_all(self) -> None:
        assert self._redis is not None
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                try:
                    async with asyncio.timeout(PATIENCE):
                        await self._redis.publish(CHANNEL, orjson.dumps(self._waiting.popleft()))
                except Exception as error:  # whatever Redis raises, the next poke is tried
                    self._trouble.report(error)
                    self._waiting.clear()

    async def _beat(self) -> None:
        while True:
            self._send({})
            await asyncio.sleep(BEAT)

    async def _listen(self) -> None:
        while True:
            try:
                await self._receive_all()
            except Exception as error:  # whatever Redis raises, begin again
                self._trouble.report(error)
            self.works = False
            self._sockets.close_all(LATER)
            await asyncio.sleep(1)

    async def _receive_all(self) -> None:
        """Receive until nothing comes any more (TimeoutError)."""
        assert self._redis is not None
        async with self._redis.pubsub(ignore_subscribe_messages=True) as listened:
            async with asyncio.timeout(2 * PATIENCE):
                await listened.subscribe(CHANNEL)
            self._last.clear()
            while True:
                async with asyncio.timeout(SILENCE):
                    message = await listened.get_message(timeout=None)
                if message is not None:
                    self.works = True
                    self._take(orjson.loads(message["data"]))

    def _take(self, message: Message) -> None:
        sender, number = message["from"], message["number"]
        if self._last.get(sender, number - 1) != number - 1:
            self._sockets.deliver_to_all()
        self._last[sender] = number
        if "topic" in message and sender != self._name:
            self._sockets.deliver(Poke(message["topic"], message["to"], message["but"], message["beside"]))
