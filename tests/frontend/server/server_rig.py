"""A real uvicorn in a thread around a tiny WSGI application, and raw sockets to abuse it with."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from http.client import HTTPConnection, HTTPResponse

import uvicorn

LARGE = 24 * 2**20
"""Bytes: more than the buffers of both sockets hold, so that a client that doesn't read is noticed."""
PIECE = 256 * 1024


class Views:
    """The WSGI application: echoes what it was given, and counts its requests."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.begun_to_read = threading.Event()
        self.stored: list[bytes] = []
        self.extra: list[tuple[str, str]] = []
        self.on_call: Callable[[], None] = lambda: None

    def __call__(self, environ: dict, start_response: Callable):
        self.entered.release()
        self.on_call()
        if environ["REQUEST_METHOD"] == "POST":
            first = environ["wsgi.input"].read(1)
            self.begun_to_read.set()
            self.stored.append(first + environ["wsgi.input"].read())
        seen = {name: value for name, value in environ.items() if isinstance(value, str)}
        start_response("200 OK", [("Content-Type", "application/json"), *self.extra])
        return [b"x" * PIECE] * (LARGE // PIECE) if environ["PATH_INFO"] == "/large" else [json.dumps(seen).encode()]


class Rig:
    """The server: its port, its views, and ways to talk to it."""

    def __init__(self, application) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        config = uvicorn.Config(
            application,
            http="h11",
            lifespan="off",
            log_level="critical",
            ws="none",
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(config)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.open: list[socket.socket] = []
        self.thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve(sockets=[self.listener]))

    def stop(self) -> None:
        for one in self.open:
            one.close()
        self.server.should_exit = True
        self.thread.join(20)

    def until(self, true: Callable[[], bool]) -> None:
        """Let the server run until a condition holds in it; fail after a minute."""

        async def wait() -> None:
            while not true():
                await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(asyncio.wait_for(wait(), 60), self.loop).result()

    def until_quiet(self) -> None:
        """Wait for the server to have no connection and no request left."""
        self.until(lambda: not self.server.server_state.connections and not self.server.server_state.tasks)

    def raw(self, text: str, *, small_buffer: bool = False, source: str = "127.0.0.1") -> socket.socket:
        """Open a connection and send just this, with CRLF line ends."""
        one = socket.socket()
        one.bind((source, 0))
        if small_buffer:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", self.port))
        one.sendall(text.replace("\n", "\r\n").encode("latin1"))
        self.open.append(one)
        return one

    def ask(
        self, method: str = "GET", path: str = "/", *, timeout: float = 30, source: str = "127.0.0.1", **kwargs
    ) -> tuple[HTTPResponse, bytes]:
        """Make one well-behaved request; return the response and its body."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))
        try:
            connection.request(method, path, **kwargs)
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()


HALF_A_POST = "POST /save HTTP/1.1\nHost: here\nContent-Length: 2000\n\n" + "x" * 671
