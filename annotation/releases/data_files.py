"""Stream the data files of a release: serialise records in parts, hash them and write them, gzipped or plain."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson
from django.utils.translation import ngettext
from isal import igzip

from annotation import registry
from annotation.errors import ReleaseRefused
from annotation.models import Project
from annotation.parsing.envelopes import Envelope
from annotation.processes import forked_pool
from annotation.protocol import Format
from annotation.records import ReleaseRecord
from annotation.releases import layouts, load, provenance, recipes
from annotation.storage import files

BLOCK = 256 * 1024
"""Bytes that are hashed and compressed at a time."""
SLICE = 16
"""Members serialised at a time (or one group): a single one takes a megabyte if its page is long."""

Member = dict[str, Any]
Refusal = tuple[str, str, str]
"""Kind and external id of an item, and why the format refuses it."""
REFUSED_AT_MOST = 1000
"""Writing stops after this many items that the format refuses."""


class Text(NamedTuple):
    """Serialised records, joined as in the file; notes about them; the number of members and of records in it.

    If the format refuses any of them (`refused`), there is no text.
    """

    text: bytes
    notes: list[str]
    members: int
    records: int
    refused: tuple[Refusal, ...] = ()


class Frame(NamedTuple):
    """The bytes before, between and after the records of a file, and the whole of a file without records."""

    before: bytes
    between: bytes
    after: bytes
    empty: bytes


FRAMES = {"lines": Frame(b"", b"\n", b"\n", b""), "object": Frame(b"{", b",\n", b"}\n", b"{}\n")}
"""By the format's container: JSON Lines, or one JSON object with an entry per record."""


def frame_of(found: Format) -> Frame:
    """The frame of the format's container."""
    if not isinstance(found.container, Envelope):
        return FRAMES[found.container]
    around = found.container
    before = b"{" + b"".join(_entry(*each) + b", " for each in around.before.items())
    before += orjson.dumps(around.records) + b": ["
    after = b"]" + b"".join(b", " + _entry(*each) for each in around.after.items()) + b"}\n"
    return Frame(before, b",\n", after, before + after)


def _entry(key: str, value: Any) -> bytes:
    return orjson.dumps(key) + b": " + orjson.dumps(value)


def data_files(
    project: Project,
    found: Format,
    chosen: list[Member],
    folder: Path,
    *,
    notes: list[str],
    progress: Callable[[int, int], None],
    using: str,
    recipe: recipes.Recipe,
) -> Iterator[dict[str, Any]]:
    """Write the shards of each split; yields their entries in the manifest: name, split, records, bytes and sha-256.

    There is no file without records, except from the first writer. The format's notes on the records are appended to
    `notes`. Raises ItemsRefused if it refuses any item.
    """
    done = 0
    refused: list[Refusal] = []
    for split, members in groupby(chosen, key=lambda member: member["split"]):
        rows = list(members)
        for shard, shown in enumerate(undivided(found, rows, found.shard_size or len(rows))):
            name, records = found.pattern.format(split=split, shard=shard), 0
            with DataFile(folder / name, frame_of(found)) as file:
                for part in _texts(project, found, shown, using=using, recipe=recipe):
                    file.add(part.text)
                    notes += part.notes
                    refused += part.refused
                    if len(refused) >= REFUSED_AT_MOST:
                        raise ItemsRefused(refused)
                    records += part.records
                    progress(done := done + part.members, len(chosen))
            if not records and recipes.writer_of(recipe) > 1:
                (folder / name).unlink()
                continue
            yield {"name": name, "split": split, "records": records, **_sizes(file, recipe)}
    if refused:
        raise ItemsRefused(refused)


def _sizes(file: DataFile, recipe: recipes.Recipe) -> dict[str, Any]:
    """Bytes and sha-256 of the file and, if it is packed, of its text; from the first writer those of the text only."""
    text = {"bytes": file.length, "sha256": file.sha256()}
    if file.packed is None or recipes.writer_of(recipe) == 1:
        return text
    packed = {"bytes": file.packed.length, "sha256": file.packed.digest.hexdigest()}
    return packed | {f"unpacked_{key}": value for key, value in text.items()}


def undivided(found: Format, members: Iterable[Member], size: int) -> Iterator[list[Member]]:
    """Members in order, `size` at a time; fewer or more where a group of the format would be divided otherwise."""
    groups: Iterable[list[Member]] = ([member] for member in members)
    if found.group:
        groups = (list(group) for _value, group in groupby(members, key=lambda member: member.get("group")))
    part: list[Member] = []
    for group in groups:
        if part and len(part) + len(group) > size:
            yield part
            part = []
        part += group
    if part:
        yield part


def _texts(
    project: Project, found: Format, members: list[Member], *, using: str, recipe: recipes.Recipe
) -> Iterator[Text]:
    """The text of a few members at a time, in forked processes where possible.

    Those read outside this transaction's snapshot, which is safe: the rows of chosen members never change.
    """
    parts = list(undivided(found, members, SLICE))
    return forked_pool.in_order(lambda mine: texts_of(project, found, mine, using=using, recipe=recipe), parts)


def texts_of(
    project: Project, found: Format, parts: Sequence[list[Member]], *, using: str, recipe: recipes.Recipe
) -> Iterator[Text]:
    """The records of these members in the format, part by part; rows are read a few hundred at a time."""
    if found.key == layouts.PROVENANCE:
        entries = provenance.entries(project, [one for part in parts for one in part], recipe=recipe, using=using)
        for part in parts:
            pieces = [orjson.dumps(entry) for entry in islice(entries, len(part))]
            yield Text(frame_of(found).between.join(pieces), [], len(part), len(pieces))
        return
    records = load.records(project, [member for part in parts for member in part], using=using)
    for part in parts:
        mine = list(islice(records, len(part)))
        notes: list[str] = []
        try:
            pieces = _written(project, found, mine, notes)
        except ReleaseRefused as refusal:
            yield Text(b"", [], len(part), 0, _refused_of(project, found, mine, refusal))
        else:
            yield Text(frame_of(found).between.join(pieces), notes, len(part), len(pieces))


def _written(project: Project, found: Format, records: list[ReleaseRecord], notes: list[str]) -> list[bytes]:
    entries = registry.get(project.protocol).write(found.key, _noted(found, records, notes))
    return list(_pieces(found, entries))


def _refused_of(
    project: Project, found: Format, records: list[ReleaseRecord], refusal: ReleaseRefused
) -> tuple[Refusal, ...]:
    """Which items are refused: those that are also refused without the others."""
    refused = []
    for record in records:
        parts = [replace(record, children=(child,)) for child in record.children]
        bare = [(replace(record, children=()), record)] if parts else [(record, record)]
        for alone, named in [*bare, *zip(parts, record.children, strict=True)]:
            try:
                _written(project, found, [alone], [])
            except ReleaseRefused as why:
                refused.append((named.item.kind, named.item.external_id, why.message))
                if named is record:
                    break
    # Refused together, but none of them alone: then it is not about any one item.
    if not refused:
        raise refusal
    return tuple(refused)


class ItemsRefused(ReleaseRefused):
    """The format refuses some items as they are."""

    def __init__(self, refused: list[Refusal]) -> None:
        why = refused[0][2]
        text = ngettext(
            "Not frozen: %(n)s item can't be written in this format. %(why)s",
            "Not frozen: %(n)s items can't be written in this format. The first: %(why)s",
            len(refused),
        )
        super().__init__(text % {"n": len(refused), "why": why}, reason="items_refused")
        self.refused = refused


def _noted(found: Format, records: Iterable[ReleaseRecord], notes: list[str]) -> Iterator[ReleaseRecord]:
    for record in records:
        notes += found.notes(record)
        yield record


def _pieces(found: Format, records: Iterator[Any]) -> Iterator[bytes]:
    if found.container == "object":
        for key, value in records:
            yield _entry(key, value)
    else:
        yield from map(orjson.dumps, records)


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

    def __init__(self, path: Path, frame: Frame) -> None:
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
