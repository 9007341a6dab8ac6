"""Limit concurrent requests on SQLite: beyond two, threads only contend for the interpreter lock (GIL).

SQLite runs inside this process, and Python switches threads at each statement: with eight concurrent requests, each
costs 50 % more CPU time (docs/performance.md).

A pool of two threads would limit them too, but two requests that wait for the database's write lock (up to 20 s, if
another process holds it) would then block every other request, including the health check. Here a request that has
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


class WholeResponses:
    """Wraps a WSGI application: hands a response to the event loop in one piece.

    Each piece costs a round trip between a thread and the loop. Django and WhiteNoise yield a file in pieces of 4 KB:
    for 100 clients that fetch one of 200 KB at once, that is 5,000 round trips, during which a page waited 0.4 s. The
    gateway spools responses anyway, and sends releases itself.
    """

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        pieces = self.app(environ, start_response)
        try:
            return [b"".join(pieces)]
        finally:
            getattr(pieces, "close", lambda: None)()
