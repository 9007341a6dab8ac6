"""Copy documents and layouts from the files of earlier versions into the database; a receiver of `post_migrate`.

It is no migration, since a migration runs once in a database, and an older data folder can be restored later. The files
stay until the operator removes them.

Earlier versions kept documents and layouts in packs, and before those in a file each. A pack is the bytes of many
objects and nothing else. An index lists the objects of one or more packs by their keys (32 bytes, sorted) with pack,
offset and length. An object that had a file of its own was in `document` or `layout`, in a folder by its first two
digits.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import shutil
import struct
from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Blob, Document, ItemDocument
from annotation.storage import blobs

MAGIC = b"GFindex1"
HEADER = struct.Struct(">8sII")
"""Magic number, number of packs, number of objects. Then the packs' names, the keys, and the places."""
NAME, KEY = 32, 32
"""Bytes of a pack's name (hexadecimal digits) and of a key."""
PLACE = struct.Struct(">IQI")
"""Number of the pack, offset, length."""
INDEXES = (".pending", ".index")
KINDS = ("document", "layout")


class Packs:
    """The objects in a folder. CommandError for an index that is none, or is cut off."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._indexes = [_Index(path) for suffix in INDEXES for path in sorted(folder.glob(f"*{suffix}"))]

    def read(self, sha256: str) -> bytes | None:
        """The bytes that are kept under this sha-256, or None."""
        for index in self._indexes:
            if found := index.place(bytes.fromhex(sha256)):
                pack, offset, length = found
                with (self._folder / f"{pack}.pack").open("rb") as file:
                    return os.pread(file.fileno(), length, offset)
        for kind in KINDS:
            if (path := self._folder / kind / sha256[:2] / sha256).exists():
                return path.read_bytes()
        return None


def are_in(folder: Path) -> bool:
    """Whether a folder has such files."""
    kinds = {path.suffix or path.name for path in folder.iterdir()} if folder.is_dir() else set()
    return not kinds.isdisjoint((*INDEXES, *KINDS))


class _Index:
    """An index file, mapped into memory."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, packs, self._count = HEADER.unpack(self._data[: HEADER.size].ljust(HEADER.size))
        self._keys = HEADER.size + packs * NAME
        self._places = self._keys + self._count * KEY
        if magic != MAGIC or len(self._data) != self._places + self._count * PLACE.size:
            raise CommandError(f"{path} is not an index, or is cut off. Restore it from a backup.")

    def place(self, key: bytes) -> tuple[str, int, int] | None:
        """The name of the pack of an object, its offset there, and its length."""
        number = bisect_left(range(self._count), key, key=self._key)
        if number == self._count or self._key(number) != key:
            return None
        pack, offset, length = PLACE.unpack_from(self._data, self._places + number * PLACE.size)
        start = HEADER.size + pack * NAME
        return self._data[start : start + NAME].decode("ascii"), offset, length

    def _key(self, number: int) -> bytes:
        at = self._keys + number * KEY
        return self._data[at : at + KEY]


AT_A_TIME = 5_000
"""Rows that are looked up at a time."""
BYTES = 2 * 1024 * 1024
"""Compressed bytes of a transaction."""


def folder() -> Path:
    """Where earlier versions kept documents and layouts."""
    return Path(settings.GOLDFINCH_DATA) / "objects"


def is_needed() -> bool:
    """Whether there are files of an earlier version, and rows whose document or layout is not in the database."""
    return are_in(folder()) and any(rows.exists() for rows, _name in _missing())


def move_after_migrate(*, verbosity: int = 1, stdout: Any = None, **signal: Any) -> None:
    """Move what is missing; safe to be killed and run again. Raises CommandError for what is damaged or not there."""
    if Blob._meta.db_table not in connection.introspection.table_names():
        return
    _remove_leftovers()
    if are_in(folder()) and (count := move()) and verbosity and stdout is not None:
        stdout.write(f"Copied {count:,} pages and layouts into the database. Their files may be removed.\n")


def move() -> int:
    """Copy each document and layout to which a row refers into the database; returns how many there were."""
    found, waiting, weight, count = Packs(folder()), list[blobs.Packed](), 0, 0
    for sha256 in chain.from_iterable(_names(rows, name) for rows, name in _missing()):
        waiting.append(_checked(found.read(sha256), sha256))
        weight += len(waiting[-1].data)
        count += 1
        if weight >= BYTES:
            blobs.insert(waiting)
            waiting, weight = [], 0
    blobs.insert(waiting)
    return count


def _missing() -> Iterator[tuple[QuerySet[Any], str]]:
    """The rows that refer to something that is not in the database, and the column in which they do."""
    for rows, name in ((Document.objects.all(), "sha256"), (ItemDocument.objects.all(), "layout")):
        yield rows.exclude(Exists(Blob.objects.filter(sha256=OuterRef(name)))), name


def _names(rows: QuerySet[Any], name: str) -> Iterator[str]:
    last = ""
    names = rows.order_by(name).values_list(name, flat=True).distinct()
    while found := list(names.filter(**{f"{name}__gt": last})[:AT_A_TIME]):
        yield from found
        last = found[-1]


def _checked(data: bytes | None, sha256: str) -> blobs.Packed:
    if data is None:
        raise CommandError(f"{folder()} lacks the document or layout {sha256}. Restore the folder from a backup.")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise CommandError(f"{sha256} in {folder()} is damaged. Restore the folder from a backup.")
    return blobs.pack(data)


def _remove_leftovers() -> None:
    """What imports of earlier versions left when they were killed, and the cache of renderings."""
    imports = Path(settings.GOLDFINCH_DATA) / "imports"
    for path in (*imports.glob("*.parts"), Path(settings.GOLDFINCH_DATA) / "renderings"):
        shutil.rmtree(path, ignore_errors=True)
    for path in imports.glob("*.jsonl"):
        path.unlink(missing_ok=True)
