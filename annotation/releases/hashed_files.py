"""Write a data file, gzipped or plain, and hash both its text and what is on the disk; the file of all hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypedDict

import orjson
from isal import igzip

from annotation.parsing import csv_cells
from annotation.parsing.envelopes import Envelope, TableRows
from annotation.protocol import Format
from annotation.releases import recipes
from annotation.storage import files

BLOCK = 256 * 1024
"""Bytes that are hashed and compressed at a time."""


class FileFacts(TypedDict, total=False):
    """Bytes and sha-256 of a file and, if it is packed, of its text; and what is in it."""

    bytes: int
    sha256: str
    unpacked_bytes: int
    unpacked_sha256: str
    split: str
    records: int
    round: dict[str, Any]


class ReleaseFile(FileFacts):
    """A file as the manifest of a release describes it; of the manifest and the file of hashes the name alone."""

    name: str


def sizes(file: DataFile, recipe: recipes.Recipe) -> FileFacts:
    """Those of a file that was written; from the first writer those of the text only."""
    if file.packed is None or recipes.writer_of(recipe) == 1:
        return {"bytes": file.length, "sha256": file.sha256()}
    return {
        "bytes": file.packed.length,
        "sha256": file.packed.digest.hexdigest(),
        "unpacked_bytes": file.length,
        "unpacked_sha256": file.sha256(),
    }


def size_and_hash(path: Path) -> FileFacts:
    """Bytes and sha-256 of a file that is on the disk."""
    with path.open("rb") as file:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


ROW_END = b"\r\n"
"""How a row of CSV ends (RFC 4180)."""


class FileFrame(NamedTuple):
    """The bytes before, between and after the records of a file, and the whole of a file without records."""

    before: bytes
    between: bytes
    after: bytes
    empty: bytes


FRAMES = {
    "lines": FileFrame(b"", b"\n", b"\n", b""),
    "array": FileFrame(b"[", b",\n", b"]\n", b"[]\n"),
    "object": FileFrame(b"{", b",\n", b"}\n", b"{}\n"),
}
"""By the format's container: JSON Lines, one JSON array, or one JSON object with an entry per record."""


def frame_of(release_format: Format, around: Mapping[str, Any] | None = None) -> FileFrame:
    """The frame of the format's container; `around`: an envelope's fields, if the recipe has them for the split."""
    if isinstance(release_format.container, TableRows):
        header = csv_cells.MARK + csv_cells.line(release_format.container.columns)
        return FileFrame(header + ROW_END, ROW_END, ROW_END, header + ROW_END)
    if not isinstance(release_format.container, Envelope):
        return FRAMES[release_format.container]
    envelope = release_format.container
    sides = {side: [entry(*each) for each in getattr(envelope, side).items()] for side in ("before", "after")}
    if around is not None:
        sides = {side: [_entry_of_text(*each) for each in around[side]] for side in ("before", "after")}
    before = b"{" + b"".join(each + b", " for each in sides["before"])
    before += orjson.dumps(envelope.records) + b": ["
    after = b"]" + b"".join(b", " + each for each in sides["after"]) + b"}\n"
    return FileFrame(before, b",\n", after, before + after)


def entry(key: str, value: Any) -> bytes:
    """A key and its value, as inside a JSON object."""
    return orjson.dumps(key) + b": " + orjson.dumps(value)


def _entry_of_text(key: str, text: str) -> bytes:
    return orjson.dumps(key) + b": " + text.encode()


class _Hashing:
    """A file open for writing, with the length and the sha-256 of what was written into it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.length, self.digest = file, 0, hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.length += len(data)
        self.digest.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


class DataFile:
    """A writer that counts and hashes the text, then compresses it if the name ends in .gz (`packed`: what came out).

    A thread hashes and compresses one block, without the GIL, while the next one is made.
    """

    def __init__(self, path: Path, frame: FileFrame) -> None:
        self.path, self.length, self._frame, self._digest = path, 0, frame, hashlib.sha256()
        self._block = bytearray()
        self._written: Future[None] | None = None
        self.packed: _Hashing | None = None

    def __enter__(self) -> DataFile:
        self._raw = self.path.open("wb")
        self._out: Any = self._raw
        if self.path.suffix == ".gz":
            self.packed = _Hashing(self._raw)
            self._out = igzip.GzipFile(filename="", mode="wb", fileobj=self.packed, mtime=0)
        self._thread = ThreadPoolExecutor(1)
        return self

    def add(self, records: bytes) -> None:
        """Append serialised records (possibly none), with the separator before them."""
        if records:
            self.write(self._frame.between if self.length else self._frame.before)
            self.write(records)

    def write(self, text: bytes) -> None:
        """Append text."""
        self._block += text
        self.length += len(text)
        if len(self._block) >= BLOCK:
            self._hand_over()

    def _hand_over(self) -> Future[None]:
        if self._written is not None:
            self._written.result()
        self._written = written = self._thread.submit(self._put, bytes(self._block))
        self._block.clear()
        return written

    def _put(self, block: bytes) -> None:
        self._digest.update(block)
        self._out.write(block)

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None:
                self.write(self._frame.after if self.length else self._frame.empty)
                self._hand_over().result()
        finally:
            self._thread.shutdown()
            self._out.close()
            self._raw.close()
        files.sync(self.path)

    def sha256(self) -> str:
        """The sha-256 of the uncompressed text."""
        return self._digest.hexdigest()


NAME = "SHA256SUMS"


def text(entries: Iterable[ReleaseFile]) -> bytes:
    """A line for each file, from its `name` and `sha256`."""
    return "".join(f"{entry['sha256']}  {entry['name']}\n" for entry in entries).encode()
