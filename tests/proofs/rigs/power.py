"""A model of what a power cut leaves of a folder: the content and the names that were synced, and nothing else.

It is stricter than a file system, which may have written more: a file has the bytes of its last fsync (none: it is
empty), and a folder the names of its last fsync.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock


class Power:
    """Records every fsync of this process, while `recording`; `cut` writes what would be left."""

    def __init__(self) -> None:
        self._content: dict[int, bytes] = {}
        self._names: dict[Path, dict[str, int]] = {}
        self.recording = True

    @contextmanager
    def on(self) -> Iterator[Power]:
        """Record until the end of the block."""
        real = os.fsync

        def fsync(handle: int) -> None:
            real(handle)
            if self.recording:
                self._synced(Path(os.readlink(f"/proc/self/fd/{handle}")), os.fstat(handle).st_ino)

        with mock.patch("os.fsync", fsync):
            yield self

    def _synced(self, path: Path, inode: int) -> None:
        if path.is_dir():
            self._names[path] = {found.name: found.stat().st_ino for found in path.iterdir()}
        else:
            self._content[inode] = path.read_bytes()

    def cut(self, folder: Path) -> None:
        """Leave in the folder what a power cut would have left when the recording ended."""
        shutil.rmtree(folder)
        folder.mkdir()
        for name, inode in self._names.get(folder, {}).items():
            (folder / name).write_bytes(self._content.get(inode, b""))
