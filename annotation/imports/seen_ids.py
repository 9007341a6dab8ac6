"""The ids already seen in a file, in a temporary SQLite table so that memory stays bounded."""

from __future__ import annotations

from types import TracebackType

from annotation.db.temporary import temporary_table


class SeenIds:
    """The ids of one file, each with the line and the content hash of its first occurrence."""

    def __init__(self) -> None:
        self._database = temporary_table("seen (name BLOB PRIMARY KEY, content TEXT, line INTEGER)")

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
