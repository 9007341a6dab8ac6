"""The ASGI application of a socket: its frames, whom it admits, its pokes, and that its person is there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress

from frontend.server.gateway import Receive, Scope, Send
from frontend.sockets.admission import admit_socket
from frontend.sockets.open_sockets import MISUSED, OpenSocket, OpenSockets, Trouble
from frontend.sockets.places import SocketPlace
from frontend.sockets.relay import Relay
from frontend.sockets.watcher import HANDSHAKES, Watcher, in_thread


class Sockets:
    """All sockets of this process; `loop` returns the server's event loop, None before it runs."""

    def __init__(self, *, loop: Callable[[], asyncio.AbstractEventLoop | None]) -> None:
        self._open = OpenSockets()
        self._watcher = Watcher(self._open)
        self._trouble = Trouble("Sockets could not be opened; pages look for news by themselves.")
        self.relay = Relay(self._open, loop=loop)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket from its handshake to its end."""
        await receive()
        self.relay.listen()
        place = await self._admitted(scope)
        if place is None or not self.relay.works or not self._open.has_room_for(place.person):
            await send({"type": "websocket.close"})
            return
        socket = OpenSocket(place)
        with self._open.holding(socket), suppress(OSError):  # uvicorn's, if the client has gone
            self._watcher.start()
            await send({"type": "websocket.accept"})
            await _serve(socket, receive, send)

    async def _admitted(self, scope: Scope) -> SocketPlace | None:
        try:
            return await in_thread(HANDSHAKES, admit_socket, scope)
        except Exception as error:  # the database or Redis is away
            self._trouble.report(error)
            return None


async def _serve(socket: OpenSocket, receive: Receive, send: Send) -> None:
    """Read and write until either ends."""
    work = {asyncio.ensure_future(_read(socket, receive)), asyncio.ensure_future(_write(socket, send))}
    try:
        done, _rest = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        for each in done:
            each.result()
    finally:
        for each in work:
            each.cancel()


async def _read(socket: OpenSocket, receive: Receive) -> None:
    """Hear the client until it disconnects."""
    loop = asyncio.get_running_loop()
    allowance = MessageAllowance(now=loop.time())
    while (message := await receive())["type"] != "websocket.disconnect":
        if message.get("text") == HERE and allowance.take(now=loop.time()):
            socket.heard = True
            socket.push("here")
        else:
            socket.close(MISUSED)


async def _write(socket: OpenSocket, send: Send) -> None:
    """Send what is pushed, until the socket is to be closed."""
    while socket.code is None:
        for kind in sorted(await socket.next()):
            await send({"type": "websocket.send", "text": FRAMES[kind]})
    await send({"type": "websocket.close", "code": socket.code})


HERE = '{"here": true}'
FRAMES = {"here": HERE} | {kind: json.dumps({"poke": kind}) for kind in ("work", "partner", "lobby", "room")}
"""All frames that the server ever sends; "here" comes back so that the page knows that the connection lives."""
LONGEST_FRAME = 128
"""Bytes of a message of the client, in however many frames; uvicorn closes the socket before it reads more."""
AT_ONCE = 10
A_SECOND = 1.0
"""A client may send so many messages at once, and then so many a second; a page of ours sends one in five seconds."""


class MessageAllowance:
    """How many messages a client may still send (a token bucket)."""

    def __init__(self, *, now: float) -> None:
        self._left, self._at = float(AT_ONCE), now

    def take(self, *, now: float) -> bool:
        """Whether one more is allowed now."""
        self._left = min(AT_ONCE, self._left + (now - self._at) * A_SECOND)
        self._at = now
        self._left -= 1
        return self._left >= 0
