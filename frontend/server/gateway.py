"""ASGI wrapper that buffers requests and responses (spool), so that slow clients don't occupy WSGI threads.

Bare a2wsgi hands a truncated POST to the view as if it were complete, waits for slow clients inside its few threads,
and lets a header `X_Forwarded_Proto` pass as `X-Forwarded-Proto`. What many connections at once may take from others is
for nginx to limit (deploy/nginx.conf).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import Any

from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _

from frontend.server import file_sender
from frontend.server.clients import Disconnected, Unreadable, network_of
from frontend.server.log_in_queue import FAILED, LONGEST_LOG_IN, LogInQueue

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

RESPONSE_IN_MEMORY = 256 * 1024
"""Bytes of a spooled response that stay in memory; a longer one goes to an unnamed temporary file."""
LARGE = 128 * 1024
"""Bytes of a body above which requests are worked on one at a time: parts of uploads, which write to the disk, would
otherwise occupy the threads that pages need.
"""
LONGEST_REST = 0.25
"""Seconds after such a request."""
UTF_8 = ("utf-8", "utf8")
logger = logging.getLogger("django.request")
SENT_BY_US = file_sender.HEADER.lower().encode()
RIGHT = file_sender.RIGHT.lower().encode()
ASKED_EVERY = 0.3
"""Seconds until it is asked again whether a download may go on."""


class TakenAway(Exception):
    """Whoever is downloading a file may no longer have it."""


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
        # ASGI has no message for this, and after an error uvicorn first sends what is buffered, which is not read.
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()
            await asyncio.sleep(0)  # let uvicorn notice before we return; otherwise it logs this as our error


class Gateway:
    """Wraps a WSGI application adapted to ASGI. Threads may schedule pokes on `event_loop`, set by the first request.

    `longest_body`: bytes for one request. `patience`: seconds for a whole body and for each chunk of a response.
    `log_ins` answers log-ins. `may_go_on` is asked about the right to a download while it runs. With `nginx_prefix`,
    nginx sends the files (`X-Accel-Redirect` below that path) and asks nobody.
    """

    def __init__(
        self,
        app: App,
        *,
        longest_body: int,
        patience: float = 20,
        log_ins: LogInQueue | None = None,
        nginx_prefix: str = "",
        may_go_on: Callable[[str], bool] = lambda right: True,
    ) -> None:
        self.app = app
        self.longest_body, self.patience = longest_body, patience
        self.log_ins = log_ins
        self.nginx_prefix, self.may_go_on = nginx_prefix, may_go_on
        # One thread, so that however many downloads run, asking takes one connection to the database.
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="Downloads")
        self._large = asyncio.Semaphore(1)
        self.event_loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.event_loop = asyncio.get_running_loop()
        reply, client = Reply(), Client(send, self.patience)
        with reply.content:
            try:
                await self._ask(scope, receive, reply)
            except Disconnected:
                return
            except Unreadable as refusal:
                reply.refuse(refusal)
            try:
                await self._answer(scope, reply, receive, client.send)
            except (TimeoutError, TakenAway):
                await client.cut()

    async def _ask(self, scope: Scope, receive: Receive, reply: Reply) -> None:
        """Read the request and have a view reply to it."""
        address = network_of((scope.get("client") or ("",))[0])
        queue = self.log_ins if self.log_ins is not None and self.log_ins.takes(scope) else None
        longest = self.longest_body if queue is None else LONGEST_LOG_IN
        content = await _whole_body(receive, longest, self.patience)
        _refuse_other_charsets(scope)
        request = _cleaned(scope, len(content)), _receiver(content), reply.keep
        if queue is None:
            async with self._one_large_at_a_time() if len(content) > LARGE else nullcontext():
                await self.app(*request)
            return
        async with queue.answering(address):
            async with queue.thread():
                await queue.app(*request)
            if reply.status in FAILED:
                await asyncio.sleep(queue.pause)

    @asynccontextmanager
    async def _one_large_at_a_time(self) -> AsyncIterator[None]:
        """While a request with a large body is worked on, and for as long again: half of the time is for others."""
        async with self._large:
            begun = asyncio.get_running_loop().time()
            yield
            await asyncio.sleep(min(LONGEST_REST, asyncio.get_running_loop().time() - begun))

    async def _answer(self, scope: Scope, reply: Reply, receive: Receive, send: Send) -> None:
        name, right = reply.pop(SENT_BY_US), reply.pop(RIGHT)
        if name is not None and self.nginx_prefix and not name.startswith("/"):
            reply.headers.append((b"x-accel-redirect", f"{self.nginx_prefix}{name}".encode("latin1")))
            name = right = None
        if name is not None or right is not None:
            # Or nginx would have much of the file before the right is asked again.
            reply.headers.append((b"x-accel-buffering", b"no"))
        if name is None:
            await self._send_while_allowed(reply.deliver(send), right)
            return
        answer = await asyncio.to_thread(
            file_sender.FileAnswer.open_named, name, reply.status, reply.headers, scope["headers"]
        )
        with answer.file:
            gone = asyncio.create_task(_until_disconnected(receive))
            try:
                sending = answer.deliver(send, head=scope["method"] == "HEAD", gone=gone)
                await self._send_while_allowed(sending, right)
            finally:
                gone.cancel()

    async def _send_while_allowed(self, sending: Coroutine[Any, Any, None], right: str | None) -> None:
        """Send; TakenAway once `may_go_on` says no, or can't tell. Without a right nothing is asked."""
        if right is None:
            await sending
            return
        sent, lost = asyncio.create_task(sending), asyncio.create_task(self._until_taken_away(right))
        try:
            await asyncio.wait((sent, lost), return_when=asyncio.FIRST_COMPLETED)
            if not sent.done():
                raise TakenAway
            await sent
        finally:
            sent.cancel()
            lost.cancel()

    async def _until_taken_away(self, right: str) -> None:
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(self._asking, self._may_go_on, right):
            await asyncio.sleep(ASKED_EVERY)

    def _may_go_on(self, right: str) -> bool:
        try:
            return self.may_go_on(right)
        except Exception:
            logger.exception("A download was stopped because nothing could be learned about the right to it.")
            return False


async def _whole_body(receive: Receive, longest: int, patience: float) -> bytes:
    """The body. One that is too long is drained too, as a client reads no response while it sends."""
    content, too_long = bytearray(), False
    try:
        async with asyncio.timeout(patience):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Disconnected
                content += message.get("body", b"")
                too_long = too_long or len(content) > longest
                if too_long:
                    content.clear()
                more = message.get("more_body", False)
    except TimeoutError:
        if not too_long:
            raise Unreadable(HTTPStatus.REQUEST_TIMEOUT, _("Sending this took too long. Try again.")) from None
    if too_long:
        raise Unreadable(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("This is too large to send."))
    return bytes(content)


def _refuse_other_charsets(scope: Scope) -> None:
    """Unreadable unless the request's text is UTF-8: Django would decode it with any codec of Python's, such as hex."""
    types = [value.decode("latin1") for name, value in scope["headers"] if name == b"content-type"]
    try:
        charsets = [parse_header_parameters(each)[1].get("charset", UTF_8[0]).lower() for each in types]
    except ValueError:
        charsets = [""]
    if len(types) > 1 or not set(charsets) <= set(UTF_8):
        raise Unreadable(HTTPStatus.BAD_REQUEST, _("Send text as UTF-8."))


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
    """An ASGI `receive` that returns the whole body in one message, and then keeps none of it.

    Django's requests are in reference cycles, which live until the garbage is collected, and lead here.
    """
    left = [body]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": left.pop() if left else b"", "more_body": False}

    return receive


async def _until_disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
