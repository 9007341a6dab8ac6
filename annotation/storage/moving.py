"""Copy documents and layouts from the files of earlier versions into the database; a receiver of `post_migrate`.

It is no migration, since a migration runs once in a database, and an older data folder can be restored later. The files
stay until the operator removes them.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Blob, Document, ItemDocument
from annotation.storage import blobs, packs

AT_A_TIME = 5_000
"""Rows that are looked up at a time."""
BYTES = 2 * 1024 * 1024
"""Compressed bytes of a transaction."""


def folder() -> Path:
    """Where earlier versions kept documents and layouts."""
    return Path(settings.GOLDFINCH_DATA) / "objects"


def is_needed() -> bool:
    """Whether there are files of an earlier version, and rows whose document or layout is not in the database."""
    return packs.are_in(folder()) and any(rows.exists() for rows, _name in _missing())


def move_after_migrate(*, verbosity: int = 1, stdout: Any = None, **signal: Any) -> None:
    """Move what is missing; safe to be killed and run again. Raises CommandError for what is damaged or not there."""
    if Blob._meta.db_table not in connection.introspection.table_names():
        return
    _remove_leftovers()
    if packs.are_in(folder()) and (count := move()) and verbosity and stdout is not None:
        stdout.write(f"Copied {count:,} pages and layouts into the database. Their files may be removed.\n")


def move() -> int:
    """Copy each document and layout to which a row refers into the database; returns how many there were."""
    found, waiting, weight, count = packs.Packs(folder()), list[blobs.Packed](), 0, 0
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
