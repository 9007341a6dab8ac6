"""The files of the object store: packs, which hold objects one after another, and the indexes that find them.

A pack is the bytes of many objects and nothing else. An index lists the objects of one or more packs by their keys
(32 bytes, sorted) with pack, offset and length. Both are immutable. A pack counts only once an index names it.
"""

from __future__ import annotations

import mmap
import os
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

MAGIC = b"GFindex1"
HEADER = struct.Struct(">8sII")
"""Magic number, number of packs, number of objects. Then the packs' names, the keys, and the places."""
NAME, KEY = 32, 32
"""Bytes of a pack's name (hexadecimal digits) and of a key."""
PLACE = struct.Struct(">IQI")
"""Number of the pack, offset, length."""


class Entry(NamedTuple):
    """An object: its key, the number of its pack in the index, and its bytes there."""

    key: bytes
    pack: int
    offset: int
    length: int


class DamagedIndex(ValueError):
    """The file is not an index, or not all of one."""


class Index:
    """An index file, mapped into memory. Objects are numbered in the order of their keys."""

    def __init__(self, path: Path) -> None:
        """FileNotFoundError if it is gone, DamagedIndex if it can't be read."""
        self.name = path.stem
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < HEADER.size:
                raise DamagedIndex(f"{path} is cut off.")
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, packs, self._count = HEADER.unpack_from(self._data)
        self._keys = HEADER.size + packs * NAME
        self._places = self._keys + self._count * KEY
        if magic != MAGIC or len(self._data) != self._places + self._count * PLACE.size:
            raise DamagedIndex(f"{path} is not an index, or is cut off.")
        names = self._data[HEADER.size : self._keys].decode("ascii")
        self.packs = tuple(names[at : at + NAME] for at in range(0, len(names), NAME))

    def __len__(self) -> int:
        return self._count

    def number_of(self, key: bytes) -> int | None:
        """The number of the object with this key, if the index has it."""
        at = bisect_left(range(self._count), key, key=self._key)
        return at if at < self._count and self._key(at) == key else None

    def entry(self, number: int) -> Entry:
        """An object by its number."""
        return Entry(self._key(number), *PLACE.unpack_from(self._data, self._places + number * PLACE.size))

    def __iter__(self) -> Iterator[Entry]:
        return map(self.entry, range(self._count))

    def _key(self, number: int) -> bytes:
        at = self._keys + number * KEY
        return self._data[at : at + KEY]


def write_index(file: BinaryIO, packs: Sequence[str], count: int, entries: Callable[[], Iterable[Entry]]) -> None:
    """Write an index; `entries` gives its `count` entries twice, sorted by their keys, all different."""
    file.write(HEADER.pack(MAGIC, len(packs), count))
    file.write("".join(packs).encode("ascii"))
    file.writelines(entry.key for entry in entries())
    file.writelines(PLACE.pack(*entry[1:]) for entry in entries())


class _Pack:
    """An open pack; closed once nobody reads from it any more."""

    def __init__(self, path: str) -> None:
        self._handle = os.open(path, os.O_RDONLY)

    def read(self, offset: int, length: int) -> bytes:
        data = os.pread(self._handle, length, offset)
        while len(data) < length:  # one call reads 2 GB at most
            more = os.pread(self._handle, length - len(data), offset + len(data))
            if not more:
                raise OSError("A pack is cut off.")
            data += more
        return data

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            os.close(self._handle)


_opened = lru_cache(maxsize=64)(_Pack)


def read(path: str, offset: int, length: int) -> bytes:
    """Bytes of a pack, which stays open for the next read; FileNotFoundError if it is gone."""
    return _opened(path).read(offset, length)
