"""A disk in a file, on which only synced data is durable: a copy of the file is what a power cut leaves.

The file has an ext4 file system that writes its journal every ten minutes, or on a sync.
Unsynced writes stay in the kernel's memory for at least half a minute: a cut must come before that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

MEGABYTES = 512


class NoDisk(RuntimeError):
    """This machine can't mount files; the message says why."""


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NoDisk(f"{command[0]}: {done.stderr.strip()}")


@dataclass
class Disk:
    """A disk image and its mount point."""

    image: Path
    place: Path

    @classmethod
    def new(cls, folder: Path) -> Disk:
        """An empty disk whose image is in the folder. Raises NoDisk."""
        if os.geteuid() != 0 or not shutil.which("mkfs.ext4"):
            raise NoDisk("it takes root, and mkfs.ext4")
        image = folder / "disk-0"
        with image.open("wb") as file:
            file.truncate(MEGABYTES * 2**20)
        _run("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
        return cls._mounted(image)

    @classmethod
    def _mounted(cls, image: Path) -> Disk:
        place = Path(tempfile.mkdtemp(prefix="disk-"))
        try:
            _run("mount", "-o", "loop,commit=600", image, place)
        except NoDisk:
            place.rmdir()
            raise
        place.chmod(0o755)
        return cls(image, place)

    def cut(self) -> Disk:
        """The disk as found after a power cut at this moment, while nobody is writing. This one is gone then."""
        after = self.image.with_name(f"disk-{int(self.image.name.split('-')[1]) + 1}")
        _run("cp", "--sparse=always", self.image, after)
        self.remove()
        return self._mounted(after)

    def remove(self) -> None:
        """Unmount it and delete it."""
        _run("umount", self.place)
        self.place.rmdir()
        self.image.unlink()
