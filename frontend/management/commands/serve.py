"""serve: run Goldfinch in one process: pages, sockets and, without Redis, the background jobs."""

from __future__ import annotations

import errno
import fcntl
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from annotation import clock
from annotation.processes import children
from annotation.storage import moving
from frontend.accounts import first_run
from frontend.server import static_storage
from frontend.server.background import Background
from frontend.sockets.application import LONGEST_FRAME
from tasks.pairs import pauses

KEPT_OPEN = 75
"""Keep-alive in seconds. People read for longer than uvicorn's default of five seconds."""

LONGEST_HEAD = 64 * 1024
"""Bytes of a request line and its headers together."""
CONNECTIONS = 2_000
"""With more of them, requests are answered with 503."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Command(BaseCommand):
    """`manage.py serve [--host HOST] [--port PORT]`."""

    help = _("Serve Goldfinch from one process: pages and, without REDIS_URL, the background jobs too.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help=_("the address to listen on (default: %(default)s)"))
        parser.add_argument(
            "--port", default=8000, type=int, help=_("its port, 0 for a free one (default: %(default)s)")
        )
        parser.add_argument(
            "--trusted-network",
            action="store_true",
            help=_(
                "let others open it directly, who could slow each other down: nginx, which prevents that, is missing"
            ),
        )

    def handle(self, *, host: str, port: int, trusted_network: bool, **options: Any) -> None:
        _refuse_debug_for_others(host)
        _refuse_strangers(host, trusted_network=trusted_network)
        _refuse_old_data()
        static_storage.refuse_if_missing()
        with _only_server_of(Path(settings.GOLDFINCH_DATA)), _listener(host, port) as listener:
            self._serve(listener)

    def _serve(self, listener: socket.socket) -> None:
        from frontend.asgi import application  # imported late: it verifies the append-only triggers on import

        # Before the background jobs, which would end shared work that nobody could be at.
        pauses.note_outage(now=clock.now())
        code = first_run.offer()
        connections.close_all()
        server = uvicorn.Server(configured(application))
        background = Background() if settings.EMBEDDED else None
        if background is not None:
            background.start()

        def stop(*signal_and_frame: object) -> None:
            server.should_exit = True

        # uvicorn stops on these signals and then raises them again, which would kill us before the jobs are stopped.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        address, port = listener.getsockname()[:2]
        place = f"http://{f'[{address}]' if ':' in address else address}:{port}{settings.FORCE_SCRIPT_NAME or ''}"
        said = [_("Goldfinch is running at %(place)s (press Ctrl-C to stop it).")]
        if background is None:
            said.append(_("Background jobs need `celery -A frontend worker` and `celery -A frontend beat`."))
        if code is not None:
            said.append(
                _("Nobody has an account here yet. Open %(place)s and make the admin's with the code %(code)s.")
            )
        # At once: whoever only reads the address may close the pipe after the first line.
        self.stdout.write("\n".join(said) % {"place": place, "code": code})
        self.stdout.flush()
        server.run(sockets=[listener])
        # Before the threads that have started them.
        children.end_all()
        if background is not None:
            background.stop()
        self.stdout.write(_("Goldfinch has stopped."))


def configured(application: Any) -> uvicorn.Config:
    """How uvicorn serves an ASGI application here."""
    behind_proxy = settings.SECURE_PROXY_SSL_HEADER is not None
    return uvicorn.Config(
        application,
        # httptools, which is faster, keeps a head of any size in memory; nginx passes on none over 32 KB.
        http="httptools" if behind_proxy else "h11",
        h11_max_incomplete_event_size=LONGEST_HEAD,
        limit_concurrency=CONNECTIONS,
        lifespan="off",
        log_level="warning",
        server_header=False,
        proxy_headers=behind_proxy,
        ws_ping_interval=5,
        ws_ping_timeout=5,
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,
        timeout_keep_alive=KEPT_OPEN,
        timeout_graceful_shutdown=10,
    )


@contextmanager
def _listener(host: str, port: int) -> Iterator[socket.socket]:
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            text = _("Port %(port)s of %(host)s is in use: stop what listens there, or choose another with --port.")
        else:
            text = _("Cannot listen on port %(port)s of %(host)s: %(error)s.")
        raise CommandError(text % {"port": port, "host": host, "error": error}) from error
    with listener:
        yield listener


@contextmanager
def _only_server_of(folder: Path) -> Iterator[None]:
    """Lock the data folder in embedded mode: with in-memory transports, two servers would miss each other's jobs.

    The lock (flock) ends with the process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "serve.lock").open("w") as lock:
        if settings.EMBEDDED:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                text = _("%(folder)s is already being served. For several processes, set REDIS_URL and use PostgreSQL.")
                raise CommandError(text % {"folder": folder}) from error
        yield


def _refuse_debug_for_others(host: str) -> None:
    if settings.DEBUG and host not in LOOPBACK:
        raise CommandError(_("DEBUG shows secrets to everyone who can reach %(host)s: unset it.") % {"host": host})


def _refuse_strangers(host: str, *, trusted_network: bool) -> None:
    if host not in LOOPBACK and settings.SECURE_PROXY_SSL_HEADER is None and not trusted_network:
        text = _(
            "Who can reach %(host)s could make Goldfinch slow for everybody. Put nginx in front (deploy/README.md) and "
            "set BEHIND_PROXY=1 or, on a network that you trust, add --trusted-network."
        )
        raise CommandError(text % {"host": host})


def _refuse_old_data() -> None:
    connection = connections[DEFAULT_DB_ALIAS]
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        raise CommandError(_("The database is older than this version of Goldfinch: run `manage.py migrate`."))
    if moving.is_needed():
        raise CommandError(_("The data folder is older than this version of Goldfinch: run `manage.py migrate`."))
    connection.close()
