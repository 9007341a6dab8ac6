"""The ids already seen in a file, in a temporary SQLite table so that memory stays bounded."""

from __future__ import annotations

import sqlite3
from types import TracebackType

CACHE = 4096
"""KiB of SQLite's page cache."""


class SeenIds:
    """The ids of one file, each with the line and the content hash of its first occurrence."""

    def __init__(self) -> None:
        # An unnamed SQLite database is a temporary file that disappears on close; nothing in it has to survive.
        self._database = sqlite3.connect("", isolation_level=None)
        for rule in ("journal_mode = OFF", "synchronous = OFF", "temp_store = FILE", f"cache_size = -{CACHE}"):
            self._database.execute(f"PRAGMA {rule}")
        self._database.execute("CREATE TABLE seen (name BLOB PRIMARY KEY, content TEXT, line INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def first(self, name: bytes, *, content: str, line: int) -> tuple[str, int]:
        """(content, line) of the first occurrence of this id: those given, if this is the first."""
        self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", (name, content, line))
        found = self._database.execute("SELECT content, line FROM seen WHERE name = ?", (name,)).fetchone()
        return found[0], found[1]

    def __enter__(self) -> SeenIds:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()
