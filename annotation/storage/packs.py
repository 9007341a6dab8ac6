"""The files in which earlier versions kept documents and layouts: packs, and before those a file each.

A pack is the bytes of many objects and nothing else. An index lists the objects of one or more packs by their keys
(32 bytes, sorted) with pack, offset and length. An object that had a file of its own was in `document` or `layout`, in
a folder by its first two digits.
"""

from __future__ import annotations

import mmap
import os
import struct
from bisect import bisect_left
from pathlib import Path

from django.core.management.base import CommandError

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
