"""What a transactional test leaves is undone: its rows, and triggers that it dropped.

Django's flush takes a hundred tables in turn, and all triggers have to be dropped for it and made anew. Here SQLite's
file is overwritten by the migrated one that it was copied from. PostgreSQL deletes from the tables that have pages,
as a role for which no trigger fires; where that is not enough, or not allowed, it is flushed.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db import connections, transaction
from django.test import TransactionTestCase

KEPT = ("django_content_type", "auth_permission")
"""Tables of rows that are there from the beginning, and that no test writes."""
PAGES = 32
"""Pages of a table that are searched for rows to delete. A larger one is truncated, with all that refer to it: rows
that were deleted stay in the pages, and PostgreSQL vacuums nothing while tests run."""
SECONDS = 20
"""How long a transaction that a test has left open is waited for."""
OF_TABLES = """
    SELECT c.relname, pg_relation_size(c.oid) / current_setting('block_size')::int FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> 'django_migrations'
"""
FIRING = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O' ORDER BY tgname"
_flush = TransactionTestCase._fixture_teardown
_at_first: dict[str, Any] = {}
"""By the name of a database how it was before the first test: SQLite's file, or PostgreSQL's triggers and kept rows."""


def remember(connection: Any, file: Path | None = None) -> None:
    """Note how the database is now, to which `undo` will return. `file`: a copy of SQLite's."""
    _at_first[connection.settings_dict["NAME"]] = file or _triggers_and_kept_rows(connection)


def undo(case: TransactionTestCase) -> None:
    """In the place of Django's flush after a test."""
    for alias in case._databases_names(include_mirrors=False):
        connection = connections[alias]
        if connection.vendor == "sqlite":
            _overwrite(connection)
        elif not _delete(connection):
            from annotation.triggers import append_only  # once there are apps

            append_only.drop_triggers(connection)
            _flush(case)
            remember(connection)


def _overwrite(connection: Any) -> None:
    name = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(_at_first[name])) as clean, closing(sqlite3.connect(name, timeout=SECONDS)) as file:
        clean.backup(file, progress=_until(time.monotonic() + SECONDS))


def _until(end: float) -> Callable[[int, int, int], None]:
    """A backup that finds the file locked would try for ever."""

    def look(status: int, remaining: int, total: int) -> None:
        if status != sqlite3.SQLITE_DONE and time.monotonic() > end:
            raise TimeoutError("a test has left a transaction open")

    return look


def _delete(connection: Any) -> bool:
    """Whether it could be done, and all but the rows is as it was at first."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SHOW is_superuser")
        if cursor.fetchone() != ("on",):
            return False
        cursor.execute(OF_TABLES)
        pages = {f'"{name}"': count for name, count in cursor.fetchall() if name not in KEPT}
        cursor.execute("SET LOCAL session_replication_role = replica")
        if any(count > PAGES for count in pages.values()):
            cursor.execute(f"TRUNCATE {', '.join(pages)}")
        elif used := [name for name, count in pages.items() if count]:
            cursor.execute(";".join(f"DELETE FROM {name}" for name in used))
    return _triggers_and_kept_rows(connection) == _at_first[connection.settings_dict["NAME"]]


def _triggers_and_kept_rows(connection: Any) -> list[Any]:
    found: list[Any] = []
    with connection.cursor() as cursor:
        for query in (FIRING, *(f"SELECT count(*), max(id) FROM {table}" for table in KEPT)):
            cursor.execute(query)
            found.append(cursor.fetchall())
    return found
