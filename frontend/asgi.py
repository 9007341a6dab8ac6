"""The ASGI application: pages in a fixed pool of WSGI threads behind the gateway, sockets in the event loop."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from wsgiref.types import WSGIApplication

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import DEFAULT_DB_ALIAS, connections
from django.shortcuts import resolve_url

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend.settings")
pages: WSGIApplication = get_wsgi_application()

from annotation.triggers import append_only  # noqa: E402 (models can be imported only now)
from frontend.downloads import asked_outside_requests  # noqa: E402
from frontend.server.gateway import Gateway, Receive, Scope, Send  # noqa: E402
from frontend.server.log_in_queue import LogInQueue  # noqa: E402
from frontend.server.wrappers import PathPrefix, RequestLimit, WholeResponses, without_prefix  # noqa: E402
from frontend.sockets.application import Sockets  # noqa: E402
from tasks.engine import pokes  # noqa: E402

WSGI_THREADS = 8
HASHES_PASSWORDS = (without_prefix(resolve_url(settings.LOGIN_URL)), "/join/", "/account/")
GIL_PATIENCE = 0.0005
"""Seconds for which a thread keeps the interpreter lock (GIL) while another one waits for it. Python's default of 5 ms
is paid by the event loop several times for each request and each poke while a page is being computed."""
LOG_INS_AT_ONCE = 2 if (os.cpu_count() or 1) > 2 else 1
AT_ONCE_ON_SQLITE = 2
"""Concurrent requests on SQLite. PostgreSQL works in its own processes, so more threads help there."""


def _verify() -> None:
    append_only.verify()
    connections.close_all()


# An ASGI application runs no system checks, so verify the append-only triggers here. In its own thread, because uvicorn
# imports this module inside its event loop, where Django refuses to query.
with ThreadPoolExecutor(1) as thread:
    thread.submit(_verify).result()

sys.setswitchinterval(GIL_PATIENCE)
pages = WholeResponses(pages)
# Log-ins are not among the requests that SQLite limits: each would hold one of two places while it hashes.
log_ins = WSGIMiddleware(pages, workers=LOG_INS_AT_ONCE)  # type: ignore[arg-type]  # as below
if connections[DEFAULT_DB_ALIAS].vendor == "sqlite":
    pages = RequestLimit(pages, at_once=AT_ONCE_ON_SQLITE)

gateway = Gateway(
    # a2wsgi's types list every key of an environ and a message; ours and Django's do not.
    WSGIMiddleware(pages, workers=WSGI_THREADS),  # type: ignore[arg-type]
    longest_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    log_ins=LogInQueue(log_ins, paths=HASHES_PASSWORDS, at_once=LOG_INS_AT_ONCE),
    nginx_prefix=os.environ.get("NGINX_FILES", ""),
    may_go_on=asked_outside_requests,
)
sockets = Sockets(loop=lambda: gateway.event_loop)
pokes.subscribe(sockets.relay.poke)


async def _sockets_or_pages(scope: Scope, receive: Receive, send: Send) -> None:
    await (sockets if scope["type"] == "websocket" else gateway)(scope, receive, send)


application = PathPrefix(_sockets_or_pages)
