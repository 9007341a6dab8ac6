"""What time it is: read once per request and handed down as `now`."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import connection

_request = threading.local()
"""`read` in a thread that answers a request: the database's time and when it was read, or None until then."""


def now() -> datetime:
    """The database's clock, so that many web processes agree; on SQLite, with its one machine, that of the process.

    Whoever asks again in a request, as what comes second may have waited for others, is told what the database said
    and how long that is ago: it is asked once, and no clock that somebody may set is.
    """
    if connection.vendor == "sqlite":
        return datetime.now(UTC)
    if not hasattr(_request, "read"):
        return _of_database()
    if _request.read is None:
        _request.read = _of_database(), time.monotonic()
    said, then = _request.read
    return said + timedelta(seconds=time.monotonic() - then)


def _of_database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def _begin(**_signal: Any) -> None:
    _request.read = None


def _end(**_signal: Any) -> None:
    _request.__dict__.clear()


request_started.connect(_begin, dispatch_uid="annotation.clock")
request_finished.connect(_end, dispatch_uid="annotation.clock")
