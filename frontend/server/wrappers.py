"""Applications around the site's own: few requests at once, whole responses, and the path prefix taken off."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Semaphore
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings

from frontend.server.gateway import App, Receive, Scope, Send


def without_prefix(path: str) -> str:
    """The path inside the site; one that does not begin with the prefix stays as it is."""
    prefix = settings.FORCE_SCRIPT_NAME or ""
    inside = path.removeprefix(prefix)
    return inside or "/" if prefix and inside[:1] in ("", "/") else path


class PathPrefix:
    """An ASGI application whose `scope` has paths inside the site: the prefix is off before anything looks at a path.

    Django writes it before every address, as its FORCE_SCRIPT_NAME. A proxy may pass it on or take it off itself.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        await self._app({**scope, "path": without_prefix(scope["path"])} if "path" in scope else scope, receive, send)


class RequestLimit:
    """Wraps a WSGI application: `at_once` requests run, others start when one ends or after `patience` seconds.

    SQLite runs inside this process, and Python switches threads at each statement: with eight concurrent requests, each
    costs 50 % more CPU time (docs/performance.md). Beyond two, they only contend for the interpreter lock (GIL).

    A pool of two threads would limit them too, but two requests that wait for the database's write lock (up to 20 s, if
    another process holds it) would then block every other request, including the health check. Here a request that has
    waited for `patience` seconds starts anyway, in one of the pool's other threads.
    """

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
