"""Carry pokes from the threads that commit to the sockets of this process, and to the other web processes.

Within a process a poke is handed to the event loop directly. The others get it through the channel layer (Redis), which
delivers at most once: messages are numbered, and who misses one pokes all its sockets. Every process also sends itself
a message every few seconds; while none comes back, it has no sockets, and its pages poll.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from channels.layers import get_channel_layer

from frontend.sockets.open_sockets import LATER, OpenSockets
from frontend.sockets.trouble import Trouble
from tasks.engine.pokes import Poke

GROUP = "pokes"
BEAT = 2.0
"""Seconds between two messages to oneself."""
SILENCE = 6.0
"""Seconds without any message after which the layer counts as broken."""
PATIENCE = 2.0
"""Seconds for one operation of the layer."""
MOST_WAITING = 10_000
"""Pokes that wait for the layer; more are dropped, and noticed by the numbers."""

Message = dict[str, Any]


class Relay:
    """`loop` returns the server's event loop, None before it runs. `layer`: None if there is only one web process."""

    def __init__(self, sockets: OpenSockets, *, loop: Callable[[], asyncio.AbstractEventLoop | None]) -> None:
        self._sockets, self._loop = sockets, loop
        self._layer: Any = get_channel_layer()
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
        if self._layer is not None:
            self._run("listening", self._listen)
            self._run("beating", self._beat)

    def _poke(self, poke: Poke) -> None:
        self._sockets.deliver(poke)
        if self._layer is not None:
            self._send({"topic": poke.topic, "to": poke.to, "but": poke.but, "beside": poke.beside})

    def _run(self, name: str, work: Callable[[], Any]) -> None:
        if name not in self._tasks or self._tasks[name].done():
            self._tasks[name] = asyncio.get_running_loop().create_task(work())

    def _send(self, message: Message) -> None:
        self._sent += 1
        self._waiting.append({"type": "poke", "from": self._name, "number": self._sent, **message})
        self._wake.set()
        self._run("sending", self._send_all)

    async def _send_all(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                try:
                    async with asyncio.timeout(PATIENCE):
                        await self._layer.group_send(GROUP, self._waiting.popleft())
                except Exception as error:  # whatever a layer raises, the next poke is tried
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
            except Exception as error:  # whatever a layer raises, begin again
                self._trouble.report(error)
            self.works = False
            self._sockets.close_all(LATER)
            await asyncio.sleep(1)

    async def _receive_all(self) -> None:
        """Receive until nothing comes any more (TimeoutError)."""
        async with asyncio.timeout(2 * PATIENCE):
            await self._layer.flush()
            channel = await self._layer.new_channel()
            await self._layer.group_add(GROUP, channel)
        self._last.clear()
        while True:
            async with asyncio.timeout(SILENCE):
                message = await self._layer.receive(channel)
            self.works = True
            self._take(message)

    def _take(self, message: Message) -> None:
        sender, number = message["from"], message["number"]
        if self._last.get(sender, number - 1) != number - 1:
            self._sockets.deliver_to_all()
        self._last[sender] = number
        if "topic" in message and sender != self._name:
            self._sockets.deliver(Poke(message["topic"], message["to"], message["but"], message["beside"]))
