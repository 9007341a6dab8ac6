"""Shared by the commands: finding a project or lead, progress bars, showing refusals, folders written as a whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation import membership
from annotation.errors import Refused
from annotation.models import Project, Role, User
from annotation.storage import files

# Its thread would keep work that follows a bar from being done by forked processes (annotation/processes).
tqdm.monitor_interval = 0


def project_of(slug: str) -> Project:
    """The project of that name, or a CommandError that lists the names."""
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        names = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no project {slug}. Projects: {names}.")
    return project


def lead_of(project: Project, username: str) -> User | None:
    """The lead of that name, None for no name (an operator acts), or a CommandError."""
    if not username:
        return None
    user = User.objects.filter(username=username).first()
    if user is None or Role.LEAD not in membership.roles_of(user, project):
        raise CommandError(f"{username} is not a lead of {project.slug}.")
    return user


class Bar:
    """A progress bar per pass, on standard error; silent if that is not a terminal."""

    def __init__(self, stream: Any, *, unit: str) -> None:
        self.stream, self.unit, self.name = stream, unit, ""
        self.bar: tqdm | None = None

    def __call__(self, name: str, done: int, total: int) -> None:
        """Show that `done` of `total` (0: unknown) have been processed in the pass of that name."""
        if self.bar is None or name != self.name:
            self.close()
            self.name = name
            self.bar = tqdm(
                total=total or None, desc=name, unit=f" {self.unit}", file=self.stream, disable=None, leave=False
            )
        self.bar.total = total or None
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        """Remove the bar from the screen."""
        if self.bar is not None:
            self.bar.close()


@contextmanager
def refusals() -> Iterator[None]:
    """Turn refusals of the domain into a CommandError with their sentence, instead of a traceback."""
    try:
        yield
    except Refused as refused:
        raise CommandError(refused.message or refused.reason) from None


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
