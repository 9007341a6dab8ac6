"""Limit concurrent requests on SQLite: beyond two, threads only contend for the interpreter lock (GIL).

SQLite answers inside this process, and Python changes threads at each of its statements: with eight requests running,
each costs half as much processor time again (docs/performance.md).

A pool of two threads would limit them as well, but two requests that wait for the database's write lock, for up to 20 s
while another process holds it, would then keep every other request waiting, the health check too. Here whoever has
waited for `patience` seconds starts anyway, in one of the pool's other threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Semaphore
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


class RequestLimit:
    """Wraps a WSGI application: `at_once` requests run, others start when one ends or after `patience` seconds."""

    def __init__(self, app: WSGIApplication, *, at_once: int, patience: float = 0.25) -> None:
        self.app, self.patience, self._free = app, patience, Semaphore(at_once)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        counted = self._free.acquire(timeout=self.patience)
        try:
            return self.app(environ, start_response)
        finally:
            if counted:
                self._free.release()
