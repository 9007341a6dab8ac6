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


class Turns:
    """A fair lock: it goes to the thread that has waited longest."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        self.waiting: deque[threading.Event] = deque()

    def take(self, timeout: float) -> bool:
        """Wait for the turn; False after `timeout` seconds."""
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

    def give(self) -> None:
        """Release the lock, directly to the next waiting thread."""
        with self._guard:
            if self.waiting:
                self.waiting.popleft().set()
            else:
                self._held = False


_TURNS: dict[str, Turns] = {}
_MADE = threading.Lock()


def turns_of(name: str) -> Turns:
    """The queue of writers of a database file."""
    with _MADE:
        return _TURNS.setdefault(name, Turns())


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes the lock before BEGIN IMMEDIATE and releases it when the transaction ends, however it ends."""

    transaction_mode: str | None  # the stubs leave it out
    _has_turn = False

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "IMMEDIATE":
            self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs
        except BaseException:
            self._give_turn()
            raise

    def _commit(self) -> Any:
        done = super()._commit()  # type: ignore[misc]  # not in the stubs
        self._give_turn()  # if the commit failed, the rollback that follows gives it
        return done

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]  # not in the stubs
        finally:
            self._give_turn()

    def close(self) -> None:
        """Close the connection, which also ends an open transaction."""
        try:
            super().close()
        finally:
            if self.connection is None or self.closed_in_transaction:
                self._give_turn()

    def _take_turn(self) -> None:
        if self._has_turn:
            return
        if not self._turns().take(self.settings_dict["OPTIONS"].get("timeout", 5)):
            raise OperationalError("database is locked: the writers before this one took too long")
        self._has_turn = True

    def _give_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self._turns().give()

    def _turns(self) -> Turns:
        return turns_of(str(self.settings_dict["NAME"]))
