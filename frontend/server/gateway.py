"""ASGI wrapper that buffers requests and responses (spool), so that slow clients don't occupy WSGI threads.

Bare a2wsgi hands a truncated POST to the view as if it were complete, waits for slow clients inside its few threads,
and lets a header `X_Forwarded_Proto` pass as `X-Forwarded-Proto`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import Any

from django.utils.translation import gettext as _

from frontend.server import file_sender

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

RESPONSE_IN_MEMORY = 256 * 1024
"""Bytes of a spooled response that stay in memory; a longer one goes to an unnamed temporary file."""
SENT_BY_US = file_sender.HEADER.lower().encode()


class Unreadable(Exception):
    """A request refused before it reaches a view; `status` says why."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Disconnected(Exception):
    """The client disconnected before its request was complete."""


class Memory:
    """Budget for the request bodies held in memory by all requests together, in bytes."""

    def __init__(self, limit: int) -> None:
        self.free = limit

    def take(self, size: int) -> None:
        if size > self.free:
            raise Unreadable(
                HTTPStatus.SERVICE_UNAVAILABLE, _("Too much is being sent at once. Try again in a moment.")
            )
        self.free -= size

    def give_back(self, size: int) -> None:
        self.free += size


class Body:
    """The body of one request while it is received; leaving the context returns its memory to the budget."""

    def __init__(self, memory: Memory, longest: int) -> None:
        self.content = bytearray()
        self.memory, self.longest, self.too_long = memory, longest, False

    def __enter__(self) -> Body:
        return self

    def __exit__(self, *error: object) -> None:
        self.memory.give_back(len(self.content))

    async def read(self, receive: Receive, patience: float) -> None:
        """Read to the end. A body that is too long is drained too, as a client reads no response while it sends."""
        try:
            async with asyncio.timeout(patience):
                while await self._more(receive):
                    pass
        except TimeoutError:
            if not self.too_long:
                raise Unreadable(HTTPStatus.REQUEST_TIMEOUT, _("Sending this took too long. Try again.")) from None
        if self.too_long:
            raise Unreadable(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("This is too large to send."))

    async def _more(self, receive: Receive) -> bool:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        chunk = message.get("body", b"")
        if self.too_long or len(self.content) + len(chunk) > self.longest:
            self.too_long = True
            self.memory.give_back(len(self.content))
            self.content.clear()
        else:
            self.memory.take(len(chunk))
            self.content += chunk
        return message.get("more_body", False)


class Reply:
    """A view's response, spooled so that the thread is free at once, and kept until the client has read it."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: file_sender.Headers = []
        self.content = SpooledTemporaryFile(RESPONSE_IN_MEMORY)  # noqa: SIM115 (the gateway closes it)

    async def keep(self, message: dict[str, Any]) -> None:
        """The ASGI `send` given to the view; never waits."""
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.content.write(message.get("body", b""))

    def refuse(self, why: Unreadable) -> None:
        """Respond in place of the view and close the connection: what follows may still be part of the body."""
        self.status = why.status
        self.headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"x-content-type-options", b"nosniff"),
            (b"cache-control", b"no-store"),
            (b"retry-after", b"1"),
            (b"connection", b"close"),
        ]
        self.content.write(str(why).encode())

    def pop(self, name: bytes) -> str | None:
        """Remove a header and return its value, or None."""
        found = [value for key, value in self.headers if key == name]
        self.headers = [(key, value) for key, value in self.headers if key != name]
        return found[-1].decode("latin1") if found else None

    async def deliver(self, send: Send) -> None:
        """Send the spooled response in chunks."""
        has_length = any(key == b"content-length" for key, _value in self.headers)
        if not has_length and self.status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
            self.headers.append((b"content-length", str(self.content.tell()).encode()))
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        self.content.seek(0)
        while chunk := self.content.read(file_sender.CHUNK):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


class Client:
    """The connection to a client, which may read slowly but not stall: each send has a timeout."""

    def __init__(self, send: Send, patience: float) -> None:
        self._send, self._patience = send, patience

    async def send(self, message: dict[str, Any]) -> None:
        """Send; TimeoutError if the client hasn't read the previous chunk in time."""
        async with asyncio.timeout(self._patience):
            await self._send(message)

    async def cut(self) -> None:
        """Abort the connection. Merely returning would have uvicorn wait for the client for ever."""
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()
            await asyncio.sleep(0)  # let uvicorn notice before we return; otherwise it logs this as our error


class Gateway:
    """Wraps a WSGI application adapted to ASGI. Threads may schedule pokes on `event_loop`, set by the first request.

    `longest_body` and `memory`: bytes for one request and for all. `patience`: seconds for a whole body and for each
    chunk of a response. With `nginx_prefix`, nginx sends the files (`X-Accel-Redirect` below that path).
    """

    def __init__(
        self, app: App, *, longest_body: int, patience: float = 20, memory: int = 64 * 2**20, nginx_prefix: str = ""
    ) -> None:
        self.app = app
        self.longest_body, self.patience, self.memory = longest_body, patience, Memory(memory)
        self.nginx_prefix = nginx_prefix
        self.event_loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.event_loop = asyncio.get_running_loop()
        reply, client = Reply(), Client(send, self.patience)
        with reply.content:
            try:
                with Body(self.memory, self.longest_body) as body:
                    await body.read(receive, self.patience)
                    await self.app(_cleaned(scope, len(body.content)), _receiver(bytes(body.content)), reply.keep)
            except Disconnected:
                return
            except Unreadable as refusal:
                reply.refuse(refusal)
            try:
                await self._answer(scope, reply, receive, client.send)
            except TimeoutError:
                await client.cut()

    async def _answer(self, scope: Scope, reply: Reply, receive: Receive, send: Send) -> None:
        name = reply.pop(SENT_BY_US)
        if name is not None and self.nginx_prefix:
            reply.headers.append((b"x-accel-redirect", f"{self.nginx_prefix}{name}".encode("latin1")))
            name = None
        if name is None:
            await reply.deliver(send)
            return
        answer = await asyncio.to_thread(
            file_sender.FileAnswer.open_named, name, reply.status, reply.headers, scope["headers"]
        )
        with answer.file:
            gone = asyncio.create_task(_until_disconnected(receive))
            await answer.deliver(send, head=scope["method"] == "HEAD", gone=gone)
            gone.cancel()


def _cleaned(scope: Scope, length: int) -> Scope:
    """The scope made safe for WSGI: no header names with underscores (spoofing), the true length, an ASCII query."""
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if b"_" not in name and name not in (b"content-length", b"transfer-encoding")
    ]
    if length:
        headers.append((b"content-length", str(length).encode()))
    query = "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in scope["query_string"])
    return {**scope, "headers": headers, "query_string": query.encode()}


def _receiver(body: bytes) -> Receive:
    """An ASGI `receive` that returns the whole body in one message."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _until_disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
