"""Fault injection: an export that kills itself.

`python -m tests.proofs.rigs.killing_exports BUILD POINT PROJECT [OUT]`

BUILD `straight` is the control: it writes directly into the final folder. At POINT `copy` the export does not kill
itself, but waits to be killed, with one file copied to OUT.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django


def die(*args: Any, **kwargs: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def after(real: Callable[..., Any], wanted: str) -> Callable[..., Any]:
    """Die once the file of that name was written."""

    def keep(path: Any, data: bytes) -> None:
        real(path, data)
        if path.name == wanted:
            die()

    return keep


def at_a_folder(real: Callable[..., Any]) -> Callable[..., Any]:
    """Die when a folder is synced, which is after the rename."""
    return lambda path: die() if path.is_dir() else real(path)


def half_a_file(real: Callable[..., Any]) -> Callable[..., Any]:
    """Die in the middle of a data file."""

    def write(self: Any, text: bytes) -> None:
        real(self, text[: len(text) // 2])
        if text:
            self._hand_over()
            self._written.result()
            self._raw.flush()
            die()

    return write


def one_file(source: Path, copy: Path) -> None:
    """Copy the first file, and wait for ever."""
    shutil.copy(source, copy)
    signal.pause()


def write_straight() -> None:
    """The wrong build: the folder has its final name before it is complete."""
    from annotation.models import Release
    from annotation.releases import building

    def made(*, dir: Path, prefix: str) -> str:
        folder = dir / str(Release.objects.latest("version").version)
        folder.mkdir()
        return str(folder)

    building.tempfile.mkdtemp = made


def main(build: str, point: str, project: str, out: str = "") -> None:
    """Set the trap, and export."""
    django.setup()
    from django.core.management import call_command

    from annotation.releases import building, contents, hashed_files

    if build == "straight":
        write_straight()
    if point == "begun":
        contents.write = die
    elif point == "data":
        hashed_files.DataFile.write = half_a_file(hashed_files.DataFile.write)
    elif point == "copy":
        shutil.copy2 = one_file
    elif point == "before-rename":
        building.os.replace = die
    elif point == "after-rename":
        building.files.sync = at_a_folder(building.files.sync)
    else:
        contents._keep = after(contents._keep, {"members": "members.jsonl", "manifest": "manifest.json"}[point])
    call_command("export_release", project, format="nq", out=Path(out) if out else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
