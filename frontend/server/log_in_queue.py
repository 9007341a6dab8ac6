"""Log-ins wait here, in the event loop, instead of in the threads that pages need: verifying a password is slow.

Argon2 takes some tenths of a second on all cores and 100 MB, on purpose. Unlimited, a few clients that guess passwords
occupied every thread, and pages took seconds. So few log-ins run at a time, in threads of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any
from weakref import WeakValueDictionary

from django.utils.translation import gettext as _

from frontend.server.clients import Unreadable

LONGEST_LOG_IN = 16 * 1024
"""Bytes of the form."""
OF_ONE_ADDRESS = 2
"""Log-ins of one address that are answered, or held back, at a time."""
FAILED = (HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS)
"""The form again, the same for a script, and too many tries; a log-in that succeeds is answered with 302 or 204."""


class LogInQueue:
    """Answers POSTs to these `paths` and below them, which hash passwords, with `app`, at most `at_once` at a time.

    `patience`: seconds that a log-in waits, at most. `pause`: seconds that the answer to a failed one is held back, and
    with it the next one from its address: a client that guesses costs little.
    """

    def __init__(
        self, app: Any, *, paths: tuple[str, ...], at_once: int, patience: float = 30, pause: float = 1
    ) -> None:
        self.app, self.paths = app, paths
        self.patience, self.pause = patience, pause
        self._all = asyncio.Semaphore(at_once)
        self._by_address: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def takes(self, scope: dict[str, Any]) -> bool:
        """Whether this request is a log-in."""
        return scope["path"].startswith(self.paths) and scope["method"] not in ("GET", "HEAD")

    @asynccontextmanager
    async def answering(self, address: str) -> AsyncIterator[None]:
        """While a log-in from this address is answered, including the pause."""
        of_address = self._by_address.setdefault(address, asyncio.Semaphore(OF_ONE_ADDRESS))
        async with self._acquired(of_address):
            yield

    @asynccontextmanager
    async def thread(self) -> AsyncIterator[None]:
        """While a log-in is in a thread."""
        async with self._acquired(self._all):
            yield

    @asynccontextmanager
    async def _acquired(self, semaphore: asyncio.Semaphore) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self.patience):
                await semaphore.acquire()
        except TimeoutError:
            text = _("Too many people are signing in at once. Try again in a moment.")
            raise Unreadable(HTTPStatus.SERVICE_UNAVAILABLE, text) from None
        try:
            yield
        finally:
            semaphore.release()
