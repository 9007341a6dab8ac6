"""Folders that commands write: whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path

from django.core.management.base import CommandError

from annotation.storage import files

UNFINISHED = ".goldfinch-unfinished"
"""How the names of hidden folders end that become the wanted ones, so that nobody else's is taken for one of them."""


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """An empty folder beside `out` that becomes `out` when the block ends without an exception, else it is deleted.

    CommandError, before the block, if `out` exists and is not an empty folder, or can't be made.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CommandError(f"{out} already exists and is not an empty folder.")
    if out.is_mount():
        raise CommandError(f"{out} is a mount point. Name a folder in it.")
    out = out.resolve()
    with ExitStack() as lock:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            _remove_leftovers(out)
            staging = _locked_folder(out, lock)
        except OSError as error:
            raise CommandError(f"{out} can't be written: {error.strerror}.") from None
        try:
            yield staging
            staging.chmod(0o755)
            os.replace(staging, out)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise


def _remove_leftovers(out: Path) -> None:
    """Remove the hidden folders of killed commands beside `out`: their locks have ended with their processes."""
    for left in out.parent.glob(f"{escape(_start(out))}*{UNFINISHED}"):
        with suppress(OSError), files.alone_with(left):
            shutil.rmtree(left, ignore_errors=True)


def _locked_folder(out: Path, lock: ExitStack) -> Path:
    """A new hidden folder beside `out`, with a lock on it."""
    while True:
        made = Path(tempfile.mkdtemp(dir=out.parent, prefix=_start(out), suffix=UNFINISHED))
        try:
            lock.enter_context(files.alone_with(made))
        except (BlockingIOError, FileNotFoundError):
            continue  # another command took it for a leftover, before the lock
        except OSError:
            return made  # a file system without locks, on which no command removes leftovers
        if made.exists():
            return made


def _start(out: Path) -> str:
    return f".{out.name[:50]}-"
