"""Content-addressed files in the data folder: documents, layouts, renderings."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from annotation.documents.layout import PAGES, SIMPLIFIED, Layout

if TYPE_CHECKING:
    from annotation.html import Rendering


FIRST_READ = 64 * 1024
"""Bytes of the first read: enough for most layouts and many pages."""


def keep(kind: str, data: bytes) -> str:
    """Store bytes under their sha-256 and return it; durable on return, and a no-op if they are there already."""
    sha256 = hashlib.sha256(data).hexdigest()
    path = _path(kind, sha256)
    if not path.exists():
        write_whole(path, data)
    return sha256


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically and durably: temporary name, fsync, rename, fsync of the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync(path.parent)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a file lock, which is released if the process dies; BlockingIOError if another process holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def sync(path: Path) -> None:
    """fsync a file that was written, or a folder in which something was renamed."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def source(sha256: str) -> bytes:
    """The bytes of a document."""
    return _read("document", sha256)


@lru_cache(maxsize=32)
def layout(sha256: str) -> Layout:
    """The layout with this hash."""
    return Layout.from_bytes(_read("layout", sha256))


@lru_cache(maxsize=64)
def rendering(document: str, layout_sha256: str, media_type: str, root: int | None = None) -> Rendering:
    """The display form of a page or of one of its boxes; whole pages are cached in a file that may be deleted.

    ValueError if the document is not a page.
    """
    from annotation import html

    if media_type not in PAGES:
        raise ValueError(f"A document of type {media_type} is not a page, so it has no rendering.")
    cached = _rendering_path(document, layout_sha256)
    if root is None and cached.exists():
        return html.Rendering.from_bytes(cached.read_bytes())
    page, cut = source(document), layout(layout_sha256)
    if media_type == SIMPLIFIED:
        page, cut = html.synthesise([token.text for token in cut.tokens], cut.candidates)
    made = html.render(page, cut, root=root)
    if root is None:
        write_whole(cached, made.to_bytes())
    return made


def keep_rendering(document: str, layout_sha256: str, made: Rendering) -> None:
    """Cache the rendering of a whole page ahead of time."""
    path = _rendering_path(document, layout_sha256)
    if not path.exists():
        write_whole(path, made.to_bytes())


def _rendering_path(document: str, layout_sha256: str) -> Path:
    from annotation.html import RENDERER

    return _path("rendering", hashlib.sha256(f"{document}/{layout_sha256}/{RENDERER}".encode()).hexdigest())


def _path(kind: str, sha256: str) -> Path:
    return Path(_place(kind, sha256))


def _place(kind: str, sha256: str) -> str:
    return f"{settings.GOLDFINCH_DATA}/objects/{kind}/{sha256[:2]}/{sha256}"


def _read(kind: str, sha256: str) -> bytes:
    # An export reads two files per record: building a Path costs as much as opening the file, and buffered reading
    # twice as much as reading the bytes.
    handle = os.open(_place(kind, sha256), os.O_RDONLY)
    try:
        data = os.read(handle, FIRST_READ)
        if len(data) < FIRST_READ:
            return data
        with open(handle, "rb", closefd=False) as rest:
            return data + rest.read()
    finally:
        os.close(handle)
