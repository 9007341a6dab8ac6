"""What time it is: read once per request and handed down as `now`."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import connection


def now() -> datetime:
    """The database's clock, so that many web processes agree; on SQLite, with its one machine, that of the process."""
    if connection.vendor == "sqlite":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]
