"""Few views at a time, where more of them only take the interpreter from each other.

Python runs one thread at a time, and changes between them at every statement of SQLite: with eight requests at work
each costs half as much again (docs/performance.md). Who waits for a slow one does so for a moment only.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Semaphore
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


class Turns:
    """Wraps a WSGI application: `at_once` requests have a turn, others begin when one ends or after `patience` s."""

    def __init__(self, app: WSGIApplication, *, at_once: int, patience: float = 0.25) -> None:
        self.app, self.patience, self._turns = app, patience, Semaphore(at_once)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        mine = self._turns.acquire(timeout=self.patience)
        try:
            return self.app(environ, start_response)
        finally:
            if mine:
                self._turns.release()
