"""Durable writes, and locks that end with their process."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.conf import settings


def shared(name: str) -> Path:
    """A folder that all web machines of a site share: of uploads, refused lines or releases."""
    return Path(settings.GOLDFINCH_STORAGE or settings.GOLDFINCH_DATA) / name


def write_whole(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file atomically: temporary name, fsync, rename, fsync of the folder; without the two if not durable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    if durable:
        sync(path.parent)


def open_new(path: Path) -> BinaryIO:
    """Open a file for writing that only its owner may read, like those of `write_whole`."""
    return open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600))


def sync(path: Path) -> None:
    """fsync a file that was written, or a folder in which something was renamed."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def alone_with(folder: Path) -> Iterator[None]:
    """Hold a lock on a folder, released if the process dies; BlockingIOError if another process holds it."""
    handle = os.open(folder, os.O_RDONLY)
    _held.add(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        if handle in _held:  # a forked process has closed it
            _held.discard(handle)
            os.close(handle)


_held: set[int] = set()


def _let_go() -> None:
    """A forked process must not hold the locks of its parent, which may be killed before it has ended itself."""
    for handle in _held:
        os.close(handle)
    _held.clear()


os.register_at_fork(after_in_child=_let_go)
