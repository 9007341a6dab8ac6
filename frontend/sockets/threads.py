"""The threads in which sockets query the database, apart from those of pages, so that neither waits for the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

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
