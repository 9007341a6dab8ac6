"""Look after the open sockets: close those whose person has lost the right to listen, and keep presence up to date.

One round a second serves all sockets of the process, so its cost hardly depends on how many are open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

from annotation import clock
from frontend.sockets.open_sockets import ENDED, OpenSockets, Trouble
from frontend.sockets.places import SeenPlaces, SocketPlace, look
from tasks.pairs import presence

EVERY = 0.75
"""Seconds between two rounds: with the queries, a right that ends has closed the socket about a second later."""
NOTED_EVERY = 5
"""Seconds between two writes of who is present; each is one statement for all sockets."""


class Watcher:
    """Runs in the event loop while sockets are open."""

    def __init__(self, sockets: OpenSockets) -> None:
        self._sockets = sockets
        self._task: asyncio.Task[None] | None = None
        self._trouble = Trouble("The rights of open sockets could not be read; pages still check them.")

    def start(self) -> None:
        """Begin, unless it runs."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        noted = loop.time()
        while True:
            await asyncio.sleep(EVERY)
            sockets = list(self._sockets)
            if not sockets:
                return
            heard: list[int] = []
            if loop.time() - noted >= NOTED_EVERY:
                noted = loop.time()
                heard = [each.place.assignment for each in sockets if each.heard and each.place.assignment is not None]
                for each in sockets:
                    each.heard = False
            try:
                seen = await in_thread(ROUNDS, _round, {each.place for each in sockets}, heard)
            except Exception as error:  # whatever a broken connection raises, look again
                self._trouble.report(error)
                continue
            for each in sockets:
                if each.place not in seen.allowed:
                    each.close(ENDED)
                elif each.place.assignment is not None:
                    state = seen.partners[each.place.assignment]
                    if each.partners != state:
                        each.push("partner")
                    each.partners = state


def _round(places: Collection[SocketPlace], heard: Collection[int]) -> SeenPlaces:
    now = clock.now()
    if heard:
        presence.note_all(heard, now=now)
    return look(places, now=now)


Params = ParamSpec("Params")
Result = TypeVar("Result")
HANDSHAKES = ThreadPoolExecutor(1, thread_name_prefix="Handshakes")
ROUNDS = ThreadPoolExecutor(1, thread_name_prefix="Rounds")
"""For the watcher, which many handshakes must not delay."""


async def in_thread(
    pool: ThreadPoolExecutor, function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs
) -> Result:
    """Call it in a thread of this pool, on a connection to the database that works."""

    def call() -> Result:
        close_old_connections()
        return function(*args, **kwargs)

    return await asyncio.get_running_loop().run_in_executor(pool, call)
