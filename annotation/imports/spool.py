"""What lies between the two passes of an import, in files without a name: a line per item, documents and layouts; and
the ids already seen in a file, in a temporary SQLite table so that memory stays bounded."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import orjson
from django.conf import settings

from annotation.parsing.incoming import IncomingAnnotation, IncomingDocument, IncomingItem
from annotation.storage.blobs import Packed

ABOUT = ("line", "content", "search", "unnamed", "into")
"""What a spool line says beside the content of its item. `into`: the split of its group, if a lead has moved that."""


def line_of(item: IncomingItem, addresses: Addresses, *, search: tuple[str, str] | None) -> bytes:
    """The item's spool line; its documents and layouts are stored on the way. `search`: (title, abstract)."""
    body = _body(item, [_document(document, addresses) for document in item.documents])
    about = {"line": item.line, "content": _content_hash(body), "search": search}
    if item.unnamed:
        about["unnamed"] = True
    return to_line({"parent": None} | body | about)


def _body(item: IncomingItem, documents: list[dict[str, Any]]) -> dict[str, Any]:
    body = {
        "kind": item.kind,
        "external_id": item.external_id,
        "split": item.split,
        "payload": item.payload,
        "documents": documents,
        "annotations": [_annotation(found) for found in item.annotations],
    }
    return body | {"parent": item.parent} if item.parent else body


def hash_without_documents(item: IncomingItem) -> str:
    """The content hash that an item without documents has once it is imported."""
    return _content_hash(_body(item, []))


def to_line(entry: dict[str, Any]) -> bytes:
    """The spool line of an entry."""
    return orjson.dumps(entry) + b"\n"


def content_hash(entry: dict[str, Any]) -> str:
    """The hash of what an entry holds, by which an item counts as the same or as changed."""
    return _content_hash({key: value for key, value in entry.items() if key not in ABOUT and value is not None})


def legacy_content_hash(entry: dict[str, Any]) -> str:
    """The content hash from before annotations carried their activity.

    Items imported back then have it, and importing their file again must still adopt them.
    """
    kept = [{key: value for key, value in found.items() if key != "activity"} for found in entry["annotations"]]
    return content_hash(entry | {"annotations": kept})


def _content_hash(body: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _annotation(annotation: IncomingAnnotation) -> dict[str, Any]:
    return {
        "external_id": annotation.external_id,
        "activity": annotation.activity,
        "worker": annotation.worker,
        "responses": [tuple(response) for response in annotation.responses],  # orjson refuses named tuples
    }


def _document(document: IncomingDocument, addresses: Addresses) -> dict[str, Any]:
    return {
        "sha256": addresses.address_of(document.source, lambda source: source),
        "layout": addresses.address_of(document.layout, lambda layout: layout.to_bytes()),
        "length": len(document.source),
        "media_type": document.media_type,
        "title": document.title,
        "url": document.url,
        "licence": document.licence,
    }


KEPT_BYTES = 4 * 1024 * 1024
"""Serialised bytes of the objects that are remembered; a layout takes several times that in memory."""


class Addresses:
    """Addresses of documents and layouts. Those of recent ones are kept by identity (FIFO): many lines share one page.

    The objects are held too, so that no other object can get the id() of one.
    """

    def __init__(self, add: Callable[[bytes], str]) -> None:
        """`add` stores bytes and returns their sha-256."""
        self._add = add
        self._found: OrderedDict[int, tuple[Any, str, int]] = OrderedDict()
        self._bytes = 0

    def address_of(self, thing: Any, to_bytes: Callable[[Any], bytes]) -> str:
        """The sha-256 of a document or layout, serialised and stored once for all lines that share the object."""
        found = self._found.get(id(thing))
        if found is None:
            data = to_bytes(thing)
            found = self._found[id(thing)] = (thing, self._add(data), len(data))
            self._bytes += len(data)
            while self._bytes > KEPT_BYTES and len(self._found) > 1:
                self._bytes -= self._found.popitem(last=False)[1][2]
        return found[1]


def without(file: IO[bytes], lines: set[int]) -> tuple[int, str]:
    """Take the items of these lines out of a spool, and the items under them.

    Returns how many items are left, and the sha-256 of their spool lines.
    """
    count, digest, dropped = 0, hashlib.sha256(), set()
    file.seek(0)
    with TemporaryFile(dir=settings.GOLDFINCH_DATA / "imports") as kept:
        for text in file:
            entry = loads(text)
            if entry["line"] in lines or tuple(entry["parent"] or ()) in dropped:
                dropped.add((entry["kind"], entry["external_id"]))
            else:
                count += 1
                digest.update(text)
                kept.write(text)
        file.seek(0)
        kept.seek(0)
        shutil.copyfileobj(kept, file)
        file.truncate()
    return count, digest.hexdigest()


def read(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    """The spooled items in order."""
    file.seek(0)
    yield from map(loads, file)


def loads(line: bytes) -> dict[str, Any]:
    """One spooled item."""
    item: dict[str, Any] = orjson.loads(line)
    return item


RECENT = 1024
"""Blobs whose places are remembered; a batch has fewer."""


class BlobSpool:
    """Compressed blobs by their sha-256, in files without a name: nothing is left of them, however the process ends.

    Their places are in a temporary SQLite table, so that memory stays bounded whatever the size of the file.
    """

    def __init__(self, folder: Path) -> None:
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115 (closed by __exit__)
        self._places = temporary_database(
            "place (sha256 TEXT PRIMARY KEY, start INTEGER, length INTEGER) WITHOUT ROWID"
        )
        # A batch asks for the length of each of its blobs, and then reads them.
        self._place = lru_cache(maxsize=RECENT)(self._find_place)

    def __enter__(self) -> BlobSpool:
        return self

    def __exit__(self, *error: object) -> None:
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

    def _find_place(self, sha256: str) -> tuple[int, int]:
        found = self._places.execute("SELECT start, length FROM place WHERE sha256 = ?", (sha256,)).fetchone()
        if found is None:
            raise KeyError(sha256)
        return found[0], found[1]

    def _read(self, start: int, length: int) -> bytes:
        return os.pread(self._file.fileno(), length, start)


CACHE = 4096
"""KiB of SQLite's page cache."""


def temporary_database(*tables: str) -> sqlite3.Connection:
    """A database with these tables ("seen (name BLOB PRIMARY KEY)"), in a transaction that never ends.

    An unnamed SQLite database is a temporary file that disappears on close; nothing in it has to survive.
    """
    database = sqlite3.connect("", isolation_level=None)
    for rule in ("journal_mode = OFF", "synchronous = OFF", "temp_store = FILE", f"cache_size = -{CACHE}"):
        database.execute(f"PRAGMA {rule}")
    for table in tables:
        database.execute(f"CREATE TABLE {table}")
    database.execute("BEGIN")
    return database


class SeenIds:
    """The ids of one file, each with the line and the content hash of its first occurrence."""

    def __init__(self) -> None:
        self._database = temporary_database("seen (name BLOB PRIMARY KEY, content TEXT, line INTEGER) WITHOUT ROWID")

    def first(self, name: bytes, *, content: str, line: int) -> tuple[str, int]:
        """(content, line) of the first occurrence of this id: those given, if this is the first."""
        row = (name, content, line)
        if self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", row).rowcount:
            return content, line
        found = self._database.execute("SELECT content, line FROM seen WHERE name = ?", (name,)).fetchone()
        return found[0], found[1]

    def __enter__(self) -> SeenIds:
        return self

    def __exit__(self, *error: object) -> None:
        self._database.close()
