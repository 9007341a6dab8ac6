"""A process pool by fork that yields results in order, for CPU-bound work that the GIL would keep on one core.

Workers inherit the parent's memory, so no input is pickled; each opens its own database connections.

`concurrent.futures.ProcessPoolExecutor` was tried instead and is as fast, but would need as much code around it: its
workers outlive a killed parent unless a thread in each watches for that; it holds every result not fetched yet, so
submissions must be bounded; it hands out one part at a time, so parts must be grouped for `work` to read the rows of
several at once; and one worker that dies breaks the whole pool.
"""

from __future__ import annotations

import gc
import heapq
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from django.db import connections

from annotation.processes import children

Part = TypeVar("Part")
Result = TypeVar("Result")

MAX_WORKERS = 4
"""They all query the database, which also serves the people who are working."""
COLLECT_AFTER = 20_000
"""New objects after which a worker collects garbage: a page makes more than the usual 700, and few are ever garbage."""
_inherited: list[Any] = []
"""The parent's database connections. A worker must neither use nor close them: it shares their sockets."""


def in_order(work: Callable[[Sequence[Part]], Iterator[Result]], parts: Sequence[Part]) -> Iterator[Result]:
    """Yield what `work(parts)` yields, one result per part, computed by one forked worker per core.

    Runs in this process if it has other threads (a lock held by one would stay locked in the fork), if two aliases
    share one connection (as in a test, whose open transaction no worker could read), or if there is only one core or
    part. `work` gets all parts of its worker, so it can prepare several at once. Results must be
    picklable and small: each worker holds one. A part whose worker failed or died is computed again here, and raises
    here.
    """
    count = min(_cores(), len(parts), MAX_WORKERS)
    if count < 2 or threading.active_count() > 1 or _connection_is_shared():
        yield from work(parts)
        return
    workers = _Workers(work, parts, count)
    try:
        for number, part in enumerate(parts):
            try:
                yield workers.result(number)
            except EOFError:
                yield from work([part])
    finally:
        workers.end()


def merged(work: Callable[[int, int], Iterator[Result]], *, key: Callable[[Result], Any]) -> Iterator[Result]:
    """Yield what `work(n, count)` yields for every n below `count`, merged by `key`, each n in a forked worker.

    Each must yield in the order of `key`, and nothing that is None. With other threads or only one core, it is
    `work(0, 1)` in this process. EOFError if a worker failed or died: what came until then is the
    beginning of the whole.
    """
    count = min(_cores(), MAX_WORKERS)
    if count < 2 or threading.active_count() > 1:
        yield from work(0, 1)
        return
    workers = _Workers(lambda mine: chain(work(mine[0], count), [None]), range(count), count)
    try:
        yield from heapq.merge(*(iter(partial(workers.result, n), None) for n in range(count)), key=key)
    finally:
        workers.end()


@contextmanager
def beside(work: Callable[[], None]) -> Iterator[None]:
    """Have a forked process do some work until the block ends; nothing is done if this process has other threads."""
    if not _can_fork() or threading.active_count() > 1:
        yield
        return
    process = multiprocessing.get_context("fork").Process(target=_do_beside, args=(work, os.getpid()), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def _do_beside(work: Callable[[], None], parent: int) -> None:
    children.end_with(parent)
    _forget_connections()
    work()


def _cores() -> int:
    """Cores available to this process; 1 where fork is not safe (macOS)."""
    return len(os.sched_getaffinity(0)) if _can_fork() else 1


def _can_fork() -> bool:
    return hasattr(os, "sched_getaffinity")


def _connection_is_shared() -> bool:
    opened = connections.all(initialized_only=True)
    return len(set(opened)) < len(opened)


class _Workers:
    """Forked processes; of n, each computes every n-th part and blocks until its result is fetched."""

    def __init__(self, work: Callable[[Any], Iterator[Any]], parts: Sequence[Any], count: int) -> None:
        context, self._readers, self._processes = multiprocessing.get_context("fork"), [], []
        for first in range(count):
            reader, writer = context.Pipe(duplex=False)
            self._readers.append(reader)
            # The worker closes every read end, its own too, so writing fails (EPIPE) once the parent is dead.
            given = (work, parts[first::count], writer, self._readers, os.getpid())
            process = context.Process(target=_do, args=given, daemon=True)
            process.start()
            writer.close()
            self._processes.append(process)

    def result(self, number: int) -> Any:
        """The result of part `number`; EOFError if its worker has none."""
        return self._readers[number % len(self._readers)].recv()

    def end(self) -> None:
        """Kill the workers."""
        for reader in self._readers:
            reader.close()
        for process in self._processes:
            process.kill()
            process.join()


def _forget_connections() -> None:
    for alias in connections:
        _inherited.append(connections[alias].connection)
        del connections[alias]


def _do(
    work: Callable[[Any], Iterator[Any]],
    parts: Sequence[Any],
    writer: Connection,
    readers: list[Connection],
    parent: int,
) -> None:
    children.end_with(parent)
    for reader in readers:
        reader.close()
    _forget_connections()
    gc.freeze()  # what was inherited stays: looking through it again and again would copy its memory
    gc.set_threshold(COLLECT_AFTER)
    try:
        for result in work(parts):
            writer.send(result)
    except BaseException:
        os._exit(1)
