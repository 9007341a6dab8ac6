"""A table for the time of one import, in a temporary SQLite database, so that memory stays bounded."""

from __future__ import annotations

import sqlite3

CACHE = 4096
"""KiB of SQLite's page cache."""


def temporary_table(columns: str) -> sqlite3.Connection:
    """A database with the table `columns` ("seen (name BLOB PRIMARY KEY)"), in a transaction that never ends.

    An unnamed SQLite database is a temporary file that disappears on close; nothing in it has to survive.
    """
    database = sqlite3.connect("", isolation_level=None)
    for rule in ("journal_mode = OFF", "synchronous = OFF", "temp_store = FILE", f"cache_size = -{CACHE}"):
        database.execute(f"PRAGMA {rule}")
    database.execute(f"CREATE TABLE {columns} WITHOUT ROWID")
    database.execute("BEGIN")
    return database
