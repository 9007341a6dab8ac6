"""Remove what killed imports have left: part files, packs without an index, and objects that no row refers to.

Only one kind of object can be without a row: one that an import published before it was killed, or whose rows it had
not all inserted. Its index is still `.pending`, so nothing else is looked at. An import that is resumed adds what it
misses again.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

from annotation.models import Document, ItemDocument
from annotation.storage import files, store
from annotation.storage.packs import Index
from annotation.storage.store import PENDING, SETTLED, Batch, Store

INDEXES_AT_MOST = 50
"""With more of them they are merged into one, since a search looks into one after the other."""


@dataclass(frozen=True)
class Removed:
    """What a clean-up removed: spools, part files and packs that were never published; and objects."""

    files: int
    objects: int


def clean_up() -> Removed | None:
    """Remove what nothing refers to; None, and nothing is touched, while an import is running.

    It can be killed at any moment and run again.
    """
    with ExitStack() as held:
        try:
            held.enter_context(nothing_is_imported())
        except BlockingIOError:
            return None
        found, objects = store.objects(), 0
        found.refresh()
        left = _remove_parts(store.importing_lock().parent) + _remove_unnamed(found)
        for path in found.paths(PENDING):
            objects += _settle(found, path)
        if len(indexes := found.paths(SETTLED)) > INDEXES_AT_MOST:
            _merge(found, indexes)
        _remove_unnamed(found)  # those that have just been replaced
        return Removed(left, objects)


@contextmanager
def nothing_is_imported() -> Iterator[None]:
    """Keep imports from starting; BlockingIOError if one is running, also one of a version with a lock per project."""
    lock = store.importing_lock()
    with files.alone(lock), ExitStack() as held:
        for each in sorted(lock.parent.glob("*.lock")):
            if each != lock:
                held.enter_context(files.alone(each))
        yield


def _remove_parts(folder: Path) -> int:
    """Spools and part files: no import that could need them is running."""
    spools, parts = list(folder.glob("*.jsonl")), list(folder.glob("*.parts"))
    count = len(spools) + sum(len(list(part.iterdir())) for part in parts)
    for spool in spools:
        spool.unlink()
    for part in parts:
        shutil.rmtree(part)
    return count


def _settle(found: Store, path: Path) -> int:
    """Remove the objects of an index to which no row refers, and settle it; returns how many they were."""
    index = Index(path)
    wanted = _referenced(index)
    unwanted = wanted.count(0)
    if unwanted:
        with store.batch("clean-up") as batch:
            _keep(batch, index, wanted)
            batch.publish(settled=True)
        _remove(found, [path])
    else:
        path.replace(path.with_suffix(SETTLED))
    return unwanted


def _referenced(index: Index) -> bytearray:
    """For each object of an index 1 if a row refers to it, else 0."""
    wanted = bytearray(len(index))
    for rows in (Document.objects.values_list("sha256"), ItemDocument.objects.values_list("layout").distinct()):
        for [sha256] in rows.order_by().iterator():
            number = index.number_of(bytes.fromhex(sha256))
            if number is not None:
                wanted[number] = 1
    return wanted


def _keep(batch: Batch, index: Index, wanted: bytearray) -> None:
    """Add the wanted objects of an index. A pack of which all are wanted stays; of another they are copied."""
    whole, kept = Counter(entry.pack for entry in index), Counter(entry.pack for entry in compress(index, wanted))
    stays = {pack for pack, count in kept.items() if count == whole[pack]}
    batch.keep(index, (entry for entry in index if entry.pack in stays))
    left = [entry for entry in compress(index, wanted) if entry.pack not in stays]
    for entry in sorted(left, key=lambda entry: (entry.pack, entry.offset)):
        batch.copy(index, entry)


def _merge(found: Store, paths: list[Path]) -> None:
    with store.batch("clean-up") as batch:
        for index in map(Index, paths):
            batch.keep(index, index)
        batch.publish(settled=True)
    _remove(found, paths)


def _remove(found: Store, indexes: list[Path]) -> None:
    """Remove indexes that have been replaced, durably: packs that only they name are removed next."""
    for path in indexes:
        path.unlink()
    files.sync(found.folder)


def _remove_unnamed(found: Store) -> int:
    """Remove packs that no index names."""
    named = {name for path in found.paths(PENDING, SETTLED) for name in Index(path).packs}
    left = [path for path in found.paths(".pack") if path.stem not in named]
    for path in left:
        path.unlink()
    found.refresh()
    return len(left)
