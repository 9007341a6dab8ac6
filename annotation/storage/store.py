"""Objects by their sha-256: read from packs, and written in batches that appear as a whole or not at all.

An import collects its objects in part files of its own folder; `Batch.publish` moves them into the store, where an
index named `.pending` finds them. When rows refer to all of them, `Batch.settle` renames it to `.index`; until then
the clean-up (`annotation.storage.clean_up`) may remove what no row refers to.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import uuid
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from django.conf import settings

from annotation.storage import files, packs
from annotation.storage.packs import Entry, Index

PENDING, SETTLED = ".pending", ".index"
PACK_BYTES = 64 * 1024 * 1024
"""A pack is closed at this size: it is synced once, and rewritten whole if some of its objects are removed."""
CACHE = 4096
"""KiB of SQLite's page cache for the keys of a batch."""
INSERT = "INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?)"


class Missing(LookupError):
    """No index has this object."""


class Store:
    """The objects of a data folder. Safe for several threads, and beside other processes that add and remove packs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._indexes: tuple[Index, ...] | None = None
        """The index that found the last object first. Replaced as a whole, since other threads read it."""

    def read(self, sha256: str) -> bytes:
        """The bytes of an object. Raises Missing."""
        key = bytes.fromhex(sha256)
        # Another process may have added it meanwhile, or have just replaced the index that had it: then a listing of
        # the folder can miss both the old one and the new one, but not twice.
        for indexes in (self._known, self._listed, self._listed):
            data = self._find(key, indexes())
            if data is not None:
                return data
        raise Missing(f"There is no object {sha256} in {self.folder}.")

    def has(self, key: bytes) -> bool:
        """Whether an index that was there when last looked at has this object."""
        return any(index.number_of(key) is not None for index in self._known())

    def refresh(self) -> None:
        """Look for indexes that other processes have added or removed."""
        self._listed()

    def paths(self, *suffixes: str) -> list[Path]:
        """The files of the store with these suffixes."""
        return [path for path in self.folder.iterdir() if path.suffix in suffixes] if self.folder.is_dir() else []

    def _known(self) -> tuple[Index, ...]:
        return self._listed() if self._indexes is None else self._indexes

    def _listed(self) -> tuple[Index, ...]:
        known = {index.name: index for index in self._indexes or ()}
        while True:
            try:
                found = {path.stem: known.get(path.stem) or Index(path) for path in self.paths(PENDING, SETTLED)}
            except FileNotFoundError:  # it has just been settled, or replaced: list them again
                continue
            self._indexes = indexes = tuple(sorted(found.values(), key=len, reverse=True))
            return indexes

    def _find(self, key: bytes, indexes: tuple[Index, ...]) -> bytes | None:
        for index in indexes:
            number = index.number_of(key)
            if number is None:
                continue
            found = index.entry(number)
            try:
                data = packs.read(f"{self.folder}/{index.packs[found.pack]}.pack", found.offset, found.length)
            except FileNotFoundError:
                continue
            if index is not indexes[0]:  # an export reads object after object from the same index
                self._indexes = (index, *(other for other in indexes if other is not index))
            return data
        return None


@lru_cache(maxsize=4)
def _store(folder: Path) -> Store:
    return Store(folder)


def objects() -> Store:
    """The store of the data folder: documents and layouts."""
    return _store(Path(settings.GOLDFINCH_DATA) / "objects")


def importing_lock() -> Path:
    """The lock that imports share, and that whoever removes objects holds alone."""
    return Path(settings.GOLDFINCH_DATA) / "imports" / "objects.lock"


class Batch:
    """Objects that are being added, in part files until they are published.

    The keys are kept in a temporary SQLite table, so that memory stays bounded and the index comes out sorted.
    """

    def __init__(self, store: Store, parts: Path) -> None:
        """`parts`: a folder for the part files, which is emptied first; it must be on the store's file system."""
        self._store, self._parts = store, parts
        self._packs: list[str] = []
        self._file: BinaryIO | None = None
        self._published: Path | None = None
        shutil.rmtree(parts, ignore_errors=True)
        store.refresh()
        self._entries = sqlite3.connect("", isolation_level=None)
        for rule in ("journal_mode = OFF", "synchronous = OFF", "temp_store = FILE", f"cache_size = -{CACHE}"):
            self._entries.execute(f"PRAGMA {rule}")
        columns = "key BLOB PRIMARY KEY, pack INTEGER, start INTEGER, length INTEGER"
        self._entries.execute(f"CREATE TABLE entry ({columns}) WITHOUT ROWID")
        self._entries.execute("BEGIN")

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove what has not been published."""
        if self._file is not None:
            self._file.close()
        self._entries.close()
        shutil.rmtree(self._parts, ignore_errors=True)

    def add(self, data: bytes) -> str:
        """Add an object, if neither the store nor the batch has it, and return its sha-256."""
        digest = hashlib.sha256(data)
        key = digest.digest()
        if not self._store.has(key):
            self._append(key, data)
        return digest.hexdigest()

    def keep(self, index: Index, entries: Iterable[Entry]) -> None:
        """Add objects of an index of the store without copying them: the new index will name their packs too."""
        numbers: dict[int, int] = {}
        for key, pack, offset, length in entries:
            if pack not in numbers:
                self._close()
                numbers[pack] = len(self._packs)
                self._packs.append(index.packs[pack])
            self._entries.execute(INSERT, (key, numbers[pack], offset, length))

    def copy(self, index: Index, entry: Entry) -> None:
        """Add an object of an index of the store to a new pack."""
        path = f"{self._store.folder}/{index.packs[entry.pack]}.pack"
        self._append(entry.key, packs.read(path, entry.offset, entry.length))

    def publish(self, *, settled: bool = False) -> None:
        """Move the packs into the store and write their index: durable on return. Nothing happens without objects."""
        self._close()
        [[count]] = self._entries.execute("SELECT count(*) FROM entry")
        if not count:
            if self._store.folder.exists():
                files.sync(self._store.folder)  # another import may have just renamed what this one found
            return
        self._store.folder.mkdir(parents=True, exist_ok=True)
        for name in self._packs:
            part = self._part(name)
            if part.exists():
                os.replace(part, self._store.folder / part.name)
        files.sync(self._store.folder)
        # Only now: the store must never have an index that survives a power cut while its packs don't.
        path = self._store.folder / f"{uuid.uuid4().hex}{SETTLED if settled else PENDING}"
        part = self._parts / path.name
        self._parts.mkdir(parents=True, exist_ok=True)
        with files.open_new(part) as file:
            packs.write_index(file, self._packs, count, self._sorted)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        files.sync(self._store.folder)
        self._published = path
        self._store.refresh()

    def _sorted(self) -> Iterator[Entry]:
        return map(Entry._make, self._entries.execute("SELECT key, pack, start, length FROM entry ORDER BY key"))

    def settle(self) -> None:
        """Say that rows refer to all objects of the batch. If a power cut undoes this, the clean-up looks again."""
        if self._published is not None:
            os.replace(self._published, self._published.with_suffix(SETTLED))

    def _append(self, key: bytes, data: bytes) -> None:
        file = self._file
        number, offset = (len(self._packs), 0) if file is None else (len(self._packs) - 1, file.tell())
        added = self._entries.execute(INSERT, (key, number, offset, len(data)))
        if not added.rowcount:
            return
        if file is None:
            self._parts.mkdir(parents=True, exist_ok=True)
            self._packs.append(uuid.uuid4().hex)
            file = self._file = files.open_new(self._part(self._packs[-1]))
        file.write(data)
        if offset + len(data) >= PACK_BYTES:
            self._close()

    def _close(self) -> None:
        """End the current pack, durably."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _part(self, name: str) -> Path:
        return self._parts / f"{name}.pack"


def importing() -> AbstractContextManager[None]:
    """Hold the lock of `importing_lock`; waits for a clean-up to end."""
    return files.together(importing_lock())


def batch(name: str) -> Batch:
    """A batch for the data folder's store; `name` must not be in use by another."""
    return Batch(objects(), importing_lock().with_name(f"{name}.parts"))
