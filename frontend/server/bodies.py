"""The bodies of requests while they arrive, in room of their own, which slow senders can't keep from others.

When the room is full, the address that has most of it makes way, with its oldest body. A quick sender therefore always
finds room, even at the address of those who send slowly (a proxy that doesn't say who its clients are).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _

from frontend.server.refusals import Disconnected, Unreadable

Receive = Callable[[], Awaitable[dict[str, Any]]]


def _too_much() -> Unreadable:
    return Unreadable(HTTPStatus.SERVICE_UNAVAILABLE, _("Too much is being sent at once. Try again in a moment."))


class Room:
    """Memory for the bodies of all requests together, in bytes."""

    def __init__(self, limit: int) -> None:
        self.limit = self.free = limit

    @contextmanager
    def holding(self, size: int) -> Iterator[None]:
        """Room for a body whose request is being worked on; Unreadable if there is none."""
        self.take(size)
        try:
            yield
        finally:
            self.free += size

    def take(self, size: int) -> None:
        """Use so much; Unreadable if it is not free."""
        if size > self.free:
            raise _too_much()
        self.free -= size


class WaitingRoom(Room):
    """Room for bodies that are still arriving."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.taken: Counter[str] = Counter()
        """Bytes by address."""
        self.arriving: dict[Body, None] = {}
        """In the order in which they began."""

    def take_for(self, body: Body, size: int) -> None:
        """Use so much for this body, if need be in place of others, the oldest of the address that uses most first."""
        while size > self.free < self.limit and not body.evicted:
            most, _bytes = self.taken.most_common(1)[0]
            next(each for each in self.arriving if each.address == most and each.content).evict()
        if body.evicted:
            raise _too_much()
        self.take(size)
        self.taken[body.address] += size

    def give_back(self, body: Body) -> None:
        """What this body uses is free again."""
        size = len(body.content)
        self.free += size
        self.taken[body.address] -= size
        if not self.taken[body.address]:
            del self.taken[body.address]


class Body:
    """The body of one request while it is received; leaving the context gives its room back."""

    def __init__(self, room: WaitingRoom, longest: int, *, address: str) -> None:
        self.content = bytearray()
        self.room, self.longest, self.address = room, longest, address
        self.too_long = self.evicted = False
        self._timeout: asyncio.Timeout | None = None

    def __enter__(self) -> Body:
        self.room.arriving[self] = None
        return self

    def __exit__(self, *error: object) -> None:
        del self.room.arriving[self]
        self._empty()

    async def read(self, receive: Receive, patience: float) -> bytes:
        """Read to the end. A body that is too long is drained too, as a client reads no response while it sends."""
        try:
            async with asyncio.timeout(patience) as self._timeout:
                while await self._more(receive):
                    pass
        except TimeoutError:
            if not self.too_long and not self.evicted:
                raise Unreadable(HTTPStatus.REQUEST_TIMEOUT, _("Sending this took too long. Try again.")) from None
        if self.evicted:
            raise _too_much()
        if self.too_long:
            raise Unreadable(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("This is too large to send."))
        return bytes(self.content)

    def evict(self) -> None:
        """Give the room back at once, and have `read` refuse the request."""
        self.evicted = True
        self._empty()
        if self._timeout is not None:
            self._timeout.reschedule(0)

    async def _more(self, receive: Receive) -> bool:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        chunk = message.get("body", b"")
        if self.too_long or len(self.content) + len(chunk) > self.longest:
            self.too_long = True
            self._empty()
        else:
            self.room.take_for(self, len(chunk))
            self.content += chunk
        return message.get("more_body", False)

    def _empty(self) -> None:
        self.room.give_back(self)
        self.content.clear()
