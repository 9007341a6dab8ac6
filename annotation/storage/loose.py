"""Move the objects of earlier versions, which were a file each, into packs.

`objects/document` and `objects/layout` had a file per object, named by its sha-256, in folders by its first two digits;
`objects/rendering` was a cache.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.storage import store
from annotation.storage.clean_up import nothing_is_imported

KINDS = ("document", "layout")
CACHE = "rendering"
AT_A_TIME = 20_000
"""Files that are packed before they are removed: a migration that is killed goes on from there."""


def has_loose_files() -> bool:
    """Whether there are objects that have not been moved into packs."""
    return any((store.objects().folder / name).exists() for name in (*KINDS, CACHE))


def pack_after_migrate(*, verbosity: int = 1, stdout: Any = None, **signal: Any) -> None:
    """A receiver of `post_migrate`, and no migration: each data folder needs it, also one restored from a backup."""
    if not has_loose_files():
        return
    try:
        with nothing_is_imported():
            count = pack_loose_files()
    except BlockingIOError:
        raise CommandError("An import is running. Migrate again when it has finished.") from None
    if verbosity and stdout is not None:
        stdout.write(f"Moved {count:,} pages and layouts into packs.\n")


def pack_loose_files() -> int:
    """Move every file into packs, and return how many there were; no import may be running.

    A file is removed when its object is durable in a pack, so this can be killed at any moment and run again. What
    killed imports had left is moved too, and then removed by the clean-up, which looks at new packs.
    """
    folder, count = store.objects().folder, 0
    for kind in KINDS:
        loose = _files(folder / kind)
        while some := list(islice(loose, AT_A_TIME)):
            _pack(some)
            count += len(some)
        shutil.rmtree(folder / kind, ignore_errors=True)
    shutil.rmtree(folder / CACHE, ignore_errors=True)
    return count


def _files(folder: Path) -> Iterator[Path]:
    for inner in sorted(folder.iterdir()) if folder.is_dir() else ():
        yield from (Path(entry.path) for entry in sorted(os.scandir(inner), key=lambda entry: entry.name))


def _pack(paths: list[Path]) -> None:
    found = [path for path in paths if not path.name.startswith(".part-")]  # not a file that was not written whole
    with store.batch("migrate") as batch:
        for path in found:
            sha256 = batch.add(path.read_bytes())
            if sha256 != path.name:
                raise CommandError(f"{path} is damaged: its SHA-256 is {sha256}. Restore it from a backup.")
        batch.publish()
    for path in paths:
        path.unlink()
