"""The documents and layouts of a file between the two passes of its import, each once."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType

from annotation.storage.blobs import Packed

CACHE = 4096
"""KiB of SQLite's page cache for the places."""


class BlobSpool:
    """Compressed blobs by their sha-256, in files without a name: nothing is left of them, however the process ends.

    Their places are in a temporary SQLite table, so that memory stays bounded whatever the size of the file.
    """

    def __init__(self, folder: Path) -> None:
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115 (closed by __exit__)
        self._places = sqlite3.connect("", isolation_level=None)
        for rule in ("journal_mode = OFF", "synchronous = OFF", "temp_store = FILE", f"cache_size = -{CACHE}"):
            self._places.execute(f"PRAGMA {rule}")
        self._places.execute(
            "CREATE TABLE place (sha256 TEXT PRIMARY KEY, start INTEGER, length INTEGER) WITHOUT ROWID"
        )
        self._places.execute("BEGIN")

    def __enter__(self) -> BlobSpool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._places.close()

    def add(self, blob: Packed) -> None:
        """Keep a blob, unless it is there already."""
        row = (blob.sha256, self._file.tell(), len(blob.data))
        if self._places.execute("INSERT OR IGNORE INTO place VALUES (?, ?, ?)", row).rowcount:
            self._file.write(blob.data)

    def length(self, sha256: str) -> int:
        """Bytes of a blob as it is stored. Raises KeyError."""
        return self._place(sha256)[1]

    def read(self, names: Iterable[str]) -> list[Packed]:
        """The blobs with these names. Raises KeyError."""
        self._file.flush()
        return [Packed(name, self._read(*self._place(name))) for name in names]

    def _place(self, sha256: str) -> tuple[int, int]:
        found = self._places.execute("SELECT start, length FROM place WHERE sha256 = ?", (sha256,)).fetchone()
        if found is None:
            raise KeyError(sha256)
        return found

    def _read(self, start: int, length: int) -> bytes:
        return os.pread(self._file.fileno(), length, start)
