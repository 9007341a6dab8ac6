"""The sockets of this process behind a real uvicorn, configured as `serve` does, and clients for them."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn
from django.conf import settings
from django.db import connections
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from annotation.models import User
from frontend.management.commands import serve
from frontend.sockets import watcher
from frontend.sockets.application import HERE, Sockets
from tasks.engine import pokes
from tests.signed_in import session_of

SECONDS = 30
"""For what must happen; nothing here waits so long unless it fails."""


@dataclass
class Listener:
    """A client whose socket was accepted."""

    connection: ClientConnection

    def frames(self) -> list[Any]:
        """What the server has sent up to now: it answers a frame of ours after all that."""
        self.connection.send(HERE)
        found = []
        while (frame := self.connection.recv(SECONDS)) != HERE:
            found.append(json.loads(frame))
        return found

    def next(self) -> Any:
        """Wait for one frame."""
        return json.loads(self.connection.recv(SECONDS))

    def send(self, *frames: Any) -> None:
        """Send frames, unless the server closes the socket meanwhile."""
        with suppress(ConnectionClosed):
            for frame in frames:
                self.connection.send(frame)

    def closed_with(self) -> int | None:
        """Wait until the server has closed the socket; returns the code."""
        self.last_frames()
        return self.connection.close_code

    def last_frames(self) -> list[Any]:
        """All frames until the server has closed the socket."""
        found = []
        with suppress(ConnectionClosed):
            while True:
                found.append(self.connection.recv(SECONDS))
        return found


class SocketServer:
    """Serves sockets on a free port, and hears the pokes of this process."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.host = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.origin = f"http://{self.host}"
        self.loop = asyncio.new_event_loop()
        self.sockets = Sockets(loop=lambda: self.loop)
        self.server = uvicorn.Server(serve.configured(self.sockets))
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.clients = ExitStack()
        pokes.subscribe(self.sockets.relay.poke)
        self.thread.start()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self.server.serve(sockets=[self.listener]))

    def stop(self) -> None:
        pokes.unsubscribe(self.sockets.relay.poke)
        self.clients.close()
        self.server.should_exit = True
        self.thread.join(SECONDS)
        for pool in (watcher.HANDSHAKES, watcher.ROUNDS):
            pool.submit(connections.close_all).result()

    def open(self, path: str, user: User | None = None, *, session: str = "", **how: Any) -> Listener:
        """Open a socket as a page of ours would, for somebody who has just signed in; `how` changes the handshake."""
        key = session or (session_of(user) if user else "")
        headers = how.pop("headers", {}) | ({"Cookie": f"{settings.SESSION_COOKIE_NAME}={key}"} if key else {})
        how.setdefault("origin", self.origin)
        client = connect(f"ws://{self.host}{path}", additional_headers=headers, proxy=None, **how)
        return Listener(self.clients.enter_context(client))

    def refusal(self, *args: Any, **how: Any) -> tuple[int, bytes, list[str]]:
        """The response to a handshake that is refused: status, body, and the names of its headers."""
        try:
            self.open(*args, **how)
        except InvalidStatus as refused:
            response = refused.response
            return response.status_code, bytes(response.body), sorted(response.headers)
        raise AssertionError("the socket was opened")
