"""Leases of long work: one process at a time does it, whichever machine it runs on.

A lease is a row that is renewed while its holder works, by what the holder calls to say how far it is and, since some
steps take long, by a process of its own that ends with it. When a lease has not been renewed for `LENGTH`, its holder
counts as killed, and another process may take it. Should the first one have been suspended only, with its machine, it
notices at its next `renew`, which is also part of the transactions in which it writes: so it can't write beside its
successor.

A holder is named after its process, so that others of its machine can tell whether that has ended.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TypeVar

from django.db import DatabaseError

from annotation import clock
from annotation.errors import Refused
from annotation.models import JobLease
from annotation.processes import children, forked_pool

LENGTH = timedelta(seconds=60)
EVERY = 5.0
"""Seconds between two renewals."""
BUSY = "busy"
"""The reason code of a refusal while another process does such work."""
SECONDS_BETWEEN_TRIES = 1
"""While a command does it."""
Result = TypeVar("Result")


class Taken(Exception):
    """Another process holds the lease."""


class Lost(BaseException):
    """The lease was not renewed in time, and somebody else has taken it."""


class HeldLease:
    """A lease that this process holds."""

    def __init__(self, name: str, holder: str) -> None:
        self._row = JobLease.objects.filter(name=name, holder=holder)
        self._renewed = time.monotonic()

    def renew(self) -> None:
        """Go on holding it; asks the database once in `EVERY` seconds. Raises Lost."""
        if time.monotonic() - self._renewed >= EVERY:
            self.renew_now()

    def renew_now(self) -> None:
        """Go on holding it until the transaction ends, whatever the time. Raises Lost."""
        if not self._row.update(until=clock.now() + LENGTH):
            raise Lost
        self._renewed = time.monotonic()

    def keep(self) -> None:
        """Renew it for as long as it is held."""
        with suppress(Lost):
            while True:
                time.sleep(EVERY)
                self.renew_now()


@contextmanager
def hold(name: str, *, refusal: Exception | None = None) -> Iterator[HeldLease]:
    """Hold the lease with this name; `refusal` (Taken by default) if another process does."""
    holder = f"{children.this_process()} {uuid.uuid4().hex}"
    if not _take(name, holder):
        raise refusal or Taken(name)
    held = HeldLease(name, holder)
    try:
        with forked_pool.beside(held.keep):
            yield held
    finally:
        with suppress(DatabaseError):  # then it runs out by itself
            JobLease.objects.filter(name=name, holder=holder).update(holder="", until=clock.now())


def when_free(work: Callable[[], Result], *, waiting: Callable[[], None]) -> Result:
    """What some work returns, as soon as it is not refused for being done already; `waiting` is called until then."""
    while True:
        try:
            return work()
        except Refused as refused:
            if refused.reason != BUSY:
                raise
        waiting()
        time.sleep(SECONDS_BETWEEN_TRIES)


def keep_free(name: str) -> None:
    """Let nobody take the lease until the transaction ends; whoever tries waits. Taken if somebody holds it."""
    JobLease.objects.bulk_create([JobLease(name=name, until=clock.now())], ignore_conflicts=True)
    if _is_held(JobLease.objects.select_for_update().get(name=name)):
        raise Taken(name)


def _is_held(row: JobLease) -> bool:
    return (
        bool(row.holder) and row.until >= clock.now() and not children.process_has_ended(row.holder.rpartition(" ")[0])
    )


def _take(name: str, holder: str) -> bool:
    """Whether the lease was free; also if its holder, a process of this machine, has ended."""
    now = clock.now()
    JobLease.objects.bulk_create([JobLease(name=name, until=now)], ignore_conflicts=True)
    row = JobLease.objects.get(name=name)
    if _is_held(row):
        return False
    same = JobLease.objects.filter(name=name, holder=row.holder, until=row.until)
    return bool(same.update(holder=holder, until=now + LENGTH))
