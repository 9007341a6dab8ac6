"""A SQLite connection whose writers queue for a fair (FIFO) lock within the process.

SQLite's own busy handler has waiting writers sleep up to 100 ms and retry, in no particular order: among thirty
threads, one can starve past any timeout although the file is free. Other processes still contend for SQLite's own lock.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError


class FairLock:
    """A fair lock: it goes to the thread that has waited longest."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        self.waiting: deque[threading.Event] = deque()

    def acquire(self, timeout: float) -> bool:
        """Wait for the lock; False after `timeout` seconds."""
        with self._guard:
            if not self._held:
                self._held = True
                return True
            mine = threading.Event()
            self.waiting.append(mine)
        if mine.wait(timeout):
            return True
        with self._guard:
            if mine.is_set():  # it was granted just as we timed out
                return True
            self.waiting.remove(mine)
            return False

    def release(self) -> None:
        """Release the lock, directly to the next waiting thread."""
        with self._guard:
            if self.waiting:
                self.waiting.popleft().set()
            else:
                self._held = False


_LOCKS: dict[str, FairLock] = {}
_MADE = threading.Lock()


def lock_of(name: str) -> FairLock:
    """The lock for which the writers of a database file wait."""
    with _MADE:
        return _LOCKS.setdefault(name, FairLock())


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes the lock before BEGIN IMMEDIATE and releases it when the transaction ends, however it ends."""

    transaction_mode: str | None  # the stubs leave it out
    _has_lock = False

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "IMMEDIATE":
            self._acquire_lock()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs
        except BaseException:
            self._release_lock()
            raise

    def _commit(self) -> Any:
        done = super()._commit()  # type: ignore[misc]  # not in the stubs
        self._release_lock()  # if the commit failed, the rollback that follows releases it
        return done

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]  # not in the stubs
        finally:
            self._release_lock()

    def close(self) -> None:
        """Close the connection, which also ends an open transaction."""
        try:
            super().close()
        finally:
            if self.connection is None or self.closed_in_transaction:
                self._release_lock()

    def _acquire_lock(self) -> None:
        if self._has_lock:
            return
        if not self._lock().acquire(self.settings_dict["OPTIONS"].get("timeout", 5)):
            raise OperationalError("database is locked: the writers before this one took too long")
        self._has_lock = True

    def _release_lock(self) -> None:
        if self._has_lock:
            self._has_lock = False
            self._lock().release()

    def _lock(self) -> FairLock:
        return lock_of(str(self.settings_dict["NAME"]))
