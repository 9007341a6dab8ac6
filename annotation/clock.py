"""The current time: read once per request and passed down as `now`."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import connection

_request = threading.local()
"""`read`, in a thread that serves a request: (database time, monotonic time of reading it), or None before that."""


def now() -> datetime:
    """The database's clock, so that all web processes agree; on SQLite, which has one machine, the process's own.

    The database is asked once per request. Later calls (after a wait for a lock, say) add the monotonic time elapsed
    since, so that setting the system clock changes nothing.
    """
    if connection.vendor == "sqlite":
        return datetime.now(UTC)
    if not hasattr(_request, "read"):
        return _of_database()
    if _request.read is None:
        _request.read = _of_database(), time.monotonic()
    read: tuple[datetime, float] = _request.read
    return read[0] + timedelta(seconds=time.monotonic() - read[1])


def _of_database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        said: datetime = cursor.fetchone()[0]
        return said


def _begin(**_signal: Any) -> None:
    _request.read = None


def _end(**_signal: Any) -> None:
    _request.__dict__.clear()


request_started.connect(_begin, dispatch_uid="annotation.clock")
request_finished.connect(_end, dispatch_uid="annotation.clock")
