"""A SQLite connection that waits for its turn to write in a queue of the process, in the order of asking.

SQLite itself lets waiting writers sleep and try again, for up to 100 ms each time and in no order: of thirty threads,
one can wait past any timeout while the file is free. Processes beside this one still meet SQLite's own lock.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError


class Turns:
    """A lock that goes to whoever has waited longest."""

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
            if mine.is_set():  # it came while we gave up
                return True
            self.waiting.remove(mine)
            return False

    def give(self) -> None:
        """End the turn: the next one has it at once."""
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
    """Takes its turn before BEGIN IMMEDIATE and gives it back when the transaction ends, however it ends."""

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
        self._give_turn()  # where committing failed, the rollback that follows gives it
        return done

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]  # not in the stubs
        finally:
            self._give_turn()

    def close(self) -> None:
        """Close the connection; a transaction that is still open is over then."""
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
