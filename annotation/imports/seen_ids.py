"""Which ids a file has had: kept on disk once they are many, since a large file has more than memory should hold."""

from __future__ import annotations

import sqlite3
from types import TracebackType

CACHE = 4096
"""KiB of them that may stay in memory."""


class SeenIds:
    """The ids of one file, each with the line where it came first and what stood there."""

    def __init__(self) -> None:
        # A database without a name is a file of its own that goes when it is closed; nothing of it has to survive.
        self._database = sqlite3.connect("", isolation_level=None)
        for rule in ("journal_mode = OFF", "synchronous = OFF", "temp_store = FILE", f"cache_size = -{CACHE}"):
            self._database.execute(f"PRAGMA {rule}")
        self._database.execute("CREATE TABLE met (name BLOB PRIMARY KEY, content TEXT, line INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def first(self, name: bytes, *, content: str, line: int) -> tuple[str, int]:
        """(content, line) of the first time that this id came: what is given, if that is now."""
        self._database.execute("INSERT OR IGNORE INTO met VALUES (?, ?, ?)", (name, content, line))
        return self._database.execute("SELECT content, line FROM met WHERE name = ?", (name,)).fetchone()

    def __enter__(self) -> SeenIds:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()
