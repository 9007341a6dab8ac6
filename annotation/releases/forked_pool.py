"""Process pool by fork: copies of this process do the parts of a long piece of work; results come in order.

For work that Python's one thread at a time would do on one core. A copy knows what the process knew when it was made
(fork), so nothing is sent to it; it has database connections of its own.

`concurrent.futures.ProcessPoolExecutor` was tried in its place and is as fast, but would need as much code around it.
Its workers outlive a process that is killed, unless a thread in each watches for that. It keeps every result that is
not fetched yet, so what is asked for must be bounded. It hands out one part at a time, so parts must be put together
for `work` to read the rows of several at once. And one worker that dies breaks the whole pool.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from django.db import connections

Part = TypeVar("Part")
Result = TypeVar("Result")

MOST = 4
"""Copies at most: the database serves them all, and people are working beside them."""
_inherited: list[Any] = []
"""Connections of the process that was copied. A copy never uses and never closes them: their sockets are one."""


def in_order(work: Callable[[Sequence[Part]], Iterator[Result]], parts: Sequence[Part]) -> Iterator[Result]:
    """What `work(parts)` yields, a result for each part, by as many copies of this process as there are cores; by this
    process alone where it has other threads (whatever they hold would stay held in a copy), one core, or one part.

    `work` gets the parts of one copy, so that it may prepare several at once. Results must be picklable, and small:
    each copy holds one. What fails in a copy, or dies with it, is done again here and raises here.
    """
    count = min(_cores(), len(parts), MOST)
    if count < 2 or threading.active_count() > 1:
        yield from work(parts)
        return
    copies = _Copies(work, parts, count)
    try:
        for number, part in enumerate(parts):
            try:
                yield copies.result(number)
            except EOFError:
                yield from work([part])
    finally:
        copies.end()


def _cores() -> int:
    """Cores that this process may use; one where copying a process is not safe (macOS)."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


class _Copies:
    """Processes of which each does every so-many-th part and waits until its result is fetched."""

    def __init__(self, work: Callable[[Any], Iterator[Any]], parts: Sequence[Any], count: int) -> None:
        context, self._readers, self._processes = multiprocessing.get_context("fork"), [], []
        for first in range(count):
            reader, writer = context.Pipe(duplex=False)
            self._readers.append(reader)
            # The copy closes all ends to read from, its own too: whoever writes to a dead process ends then.
            process = context.Process(target=_do, args=(work, parts[first::count], writer, self._readers), daemon=True)
            process.start()
            writer.close()
            self._processes.append(process)

    def result(self, number: int) -> Any:
        """The result of that part; EOFError where its copy has none."""
        return self._readers[number % len(self._readers)].recv()

    def end(self) -> None:
        """Nobody waits for them any more."""
        for reader in self._readers:
            reader.close()
        for process in self._processes:
            process.kill()
            process.join()


def _do(
    work: Callable[[Any], Iterator[Any]], parts: Sequence[Any], writer: Connection, readers: list[Connection]
) -> None:
    for reader in readers:
        reader.close()
    for connection in connections.all(initialized_only=True):
        _inherited.append(connection.connection)
        del connections[connection.alias]
    try:
        for result in work(parts):
            writer.send(result)
    except BaseException:
        os._exit(1)
