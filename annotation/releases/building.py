"""Build a release in a staging folder, publish it by an atomic rename (a visible one is complete), and retract it.

Its manifest states the version of the running code: the package's version and the checkout's commit.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Max

from annotation.engine import exclusion, job_leases, state_machine
from annotation.engine.job_leases import HeldLease
from annotation.errors import ReleaseRefused, WrongMove
from annotation.models import Project, Release, User
from annotation.models.release import RELEASE_MOVES
from annotation.releases import contents, hashed_files, recipes
from annotation.storage import files

STAGING = ".part-"
"""Prefix of a staging folder, which is never shown to anybody."""


def build(
    project: Project,
    *,
    format: str,
    by: User | None,
    now: datetime,
    progress: Callable[[int, int], None] = lambda done, total: None,
    using: str = "snapshot",
    **options: Any,
) -> Release:
    """Freeze the finished work as the project's next version, in one format, from one snapshot of the database.

    `format`: a key, or "" for the protocol's own layout. `options`: the others of `recipes.recipe_of`. `progress` is
    told how many of how many items have been written, and before that, with a total of 0, how many have been looked at.
    Raises ReleaseRefused if nothing is finished or something can't be written in that format; the version is then
    marked as failed.
    """
    found = recipes.format_of(project, format)
    recipe = recipes.recipe_of(format=found.key, **options)
    with _alone(project) as lease:
        _clear_away(project, by=by, now=now)
        recipes.check_splits(project, found, recipe["splits"])
        release = _begin(project, recipes.with_fields_around(recipe, project, found), by=by, now=now)
        final = folder_of(release)

        def go_on(done: int, total: int) -> None:
            lease.renew()
            progress(done, total)

        final.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(dir=final.parent, prefix=STAGING))
        try:
            with transaction.atomic(using=using):
                manifest, frozen = contents.write(release, found, staging, progress=go_on, using=using)
            staging.chmod(0o755)
            lease.renew_now()
            os.replace(staging, final)
            files.sync(final.parent)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            with suppress(WrongMove):  # whoever has taken the lease has done so
                state_machine.move(release, Release.State.FAILED, moves=RELEASE_MOVES, by=by, now=now)
            raise
        with transaction.atomic():
            lease.renew_now()
            hashes = {"members_sha256": frozen, "manifest_sha256": manifest}
            state_machine.move(release, Release.State.READY, moves=RELEASE_MOVES, by=by, now=now, data=hashes, **hashes)
    return release


def _alone(project: Project) -> AbstractContextManager[HeldLease]:
    """One build per project at a time, so an unfinished release found under the lease was killed."""
    text = f"Another release of {project.slug} is being built. Wait until it is ready."
    return job_leases.hold(release_lease(project), refusal=ReleaseRefused(text, reason=job_leases.BUSY))


def release_lease(project: Project) -> str:
    """The name of the lease that building a release of the project holds."""
    return f"release/{project.pk}"


def _clear_away(project: Project, *, by: User | None, now: datetime) -> None:
    """Clean up after killed builds: delete their folders and mark their versions as failed."""
    for dead in project.releases.filter(state=Release.State.BUILDING):
        shutil.rmtree(folder_of(dead), ignore_errors=True)
        state_machine.move(dead, Release.State.FAILED, moves=RELEASE_MOVES, by=by, now=now)
    for staging in _place(project).glob(f"{STAGING}*"):
        shutil.rmtree(staging, ignore_errors=True)


def _place(project: Project) -> Path:
    return files.shared("releases") / project.slug


def folder_of(release: Release) -> Path:
    """The folder with the files of a release."""
    return _place(release.project) / str(release.version)


def manifest_of(release: Release) -> dict[str, Any]:
    """The manifest of a ready release."""
    manifest: dict[str, Any] = orjson.loads((folder_of(release) / contents.MANIFEST).read_bytes())
    return manifest


def files_in(manifest: dict[str, Any]) -> list[hashed_files.ReleaseFile]:
    """The files of a release that are given out, in the order of its page: those with data first."""
    if not manifest:
        return []
    found: list[hashed_files.ReleaseFile] = [*contents.files_of(manifest), {"name": contents.MANIFEST}]
    return [*found, {"name": hashed_files.NAME}] if recipes.writer_of(manifest["recipe"]) > 1 else found


@transaction.atomic
def _begin(project: Project, recipe: dict[str, Any], *, by: User | None, now: datetime) -> Release:
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    last = project.releases.aggregate(last=Max("version"))["last"] or 0
    return Release.objects.create(
        project=project, version=last + 1, recipe=recipe, code_version=CODE_VERSION, by=by, at=now
    )


@transaction.atomic
def retract(release: Release, *, by: User, reason: str, now: datetime) -> None:
    """Mark a ready release as retracted. Its files stay in the data folder, and its version is never used again.

    Raises ReasonMissing, and WrongMove unless it is ready.
    """
    said = exclusion.checked_reason(reason)
    state_machine.move(release, Release.State.RETRACTED, moves=RELEASE_MOVES, by=by, now=now, data={"reason": said})


PACKAGE = "goldfinch"
DIGITS = 12
"""Digits of the commit's hash: enough to identify it."""
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def code_version(checkout: Path) -> str:
    """Such as `goldfinch 0.1.0+7c2f3c218553`; without the commit if the folder has no git metadata of its own."""
    commit = _commit(checkout / ".git")
    return f"{PACKAGE} {_version(checkout)}" + (f"+{commit[:DIGITS]}" if commit else "")


def _version(checkout: Path) -> str:
    """From the checkout's pyproject.toml, else from the installed package's metadata, else "unknown"."""
    try:
        return str(tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["version"])
    except FileNotFoundError:
        pass
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return "unknown"


def _commit(git: Path) -> str:
    """The hash of HEAD, read without git: servers may not have it, and its ownership checks would get in the way."""
    try:
        if git.is_file():  # a linked worktree: it has its own HEAD and shares the branches
            git = git.parent / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        found = _branch(git, head.removeprefix("ref: ")) if head.startswith("ref: ") else head
    except (OSError, UnicodeDecodeError):
        return ""
    return found if _COMMIT.fullmatch(found) else ""


def _branch(git: Path, name: str) -> str:
    shared = git / "commondir"
    common = git / shared.read_text().strip() if shared.exists() else git
    loose = common / name
    if loose.is_file():
        return loose.read_text().strip()
    packed = (line.split(" ") for line in (common / "packed-refs").read_text().splitlines())
    return next((words[0] for words in packed if words[1:] == [name]), "")


CODE_VERSION = code_version(Path(__file__).resolve().parents[2])
"""Read once, at startup: updating the checkout does not change the code that is running."""
