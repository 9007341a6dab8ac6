"""Build a release: choose, freeze, write, hash. What is visible under its version is whole."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db import transaction
from django.db.models import Max

from annotation import document_store, projects, state_machine
from annotation import protocol as registry
from annotation.errors import ReleaseRefused
from annotation.models import Project, Purpose, Release, User
from annotation.models.release import RELEASE_MOVES
from annotation.protocol import Format
from annotation.releases import data_files, members
from annotation.releases.code_version import CODE_VERSION

STAGING = ".part-"
"""How the folder of a release begins until it is whole; nobody is shown what is in it."""


def build(
    project: Project,
    *,
    format: str,
    by: User | None,
    now: datetime,
    splits: Iterable[str] = (),
    partial: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    using: str = "snapshot",
) -> Release:
    """Freeze the finished work of today as the project's next version, in one layout; reads one moment of the data.

    Raises ReleaseRefused when nothing is finished or something can't be said in that layout; the version then failed.
    """
    found = format_of(project, format)
    recipe = {
        "format": format,
        "splits": sorted(splits),
        "partial": partial,
        "purposes": [Purpose.WORK, Purpose.IMPORT],
    }
    with _alone(project):
        _clear_away(project, by=by, now=now)
        release = _begin(project, recipe, by=by, now=now)
        final = folder_of(release)
        staging = Path(tempfile.mkdtemp(dir=final.parent, prefix=STAGING))
        try:
            with transaction.atomic(using=using):
                manifest, frozen = _write(release, found, staging, progress=progress, using=using)
            staging.chmod(0o755)
            os.replace(staging, final)
            document_store.sync(final.parent)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            state_machine.move(release, Release.State.FAILED, moves=RELEASE_MOVES, by=by, now=now)
            raise
        with transaction.atomic():
            hashes = {"members_sha256": frozen, "manifest_sha256": manifest}
            state_machine.move(release, Release.State.READY, moves=RELEASE_MOVES, by=by, now=now, data=hashes, **hashes)
    return release


@contextmanager
def _alone(project: Project) -> Iterator[None]:
    """One build of a project at a time, so that an unfinished one is a dead one."""
    with ExitStack() as held:
        try:
            held.enter_context(document_store.alone(_place(project) / ".lock"))
        except BlockingIOError:
            raise ReleaseRefused(f"Another release of {project.slug} is being built; wait for its end.") from None
        yield


def _clear_away(project: Project, *, by: User | None, now: datetime) -> None:
    """What builds left that were killed: their folders go and their versions have failed."""
    for dead in project.releases.filter(state=Release.State.BUILDING):
        shutil.rmtree(folder_of(dead), ignore_errors=True)
        state_machine.move(dead, Release.State.FAILED, moves=RELEASE_MOVES, by=by, now=now)
    for staging in _place(project).glob(f"{STAGING}*"):
        shutil.rmtree(staging, ignore_errors=True)


def _place(project: Project) -> Path:
    return settings.GOLDFINCH_DATA / "releases" / project.slug


def folder_of(release: Release) -> Path:
    """Where the files of a release lie."""
    return _place(release.project) / str(release.version)


def manifest_of(release: Release) -> dict[str, Any]:
    """The manifest of a ready release."""
    return orjson.loads((folder_of(release) / "manifest.json").read_bytes())


def format_of(project: Project, key: str) -> Format:
    """The protocol's format of that name, or ReleaseRefused with the names that there are."""
    formats = registry.get(project.protocol).formats
    for found in formats:
        if found.key == key:
            return found
    raise ReleaseRefused(f"{project.protocol} has no format {key}: {', '.join(f.key for f in formats)}.")


@transaction.atomic
def _begin(project: Project, recipe: dict[str, Any], *, by: User | None, now: datetime) -> Release:
    Project.objects.select_for_update().get(pk=project.pk)
    last = project.releases.aggregate(last=Max("version"))["last"] or 0
    return Release.objects.create(
        project=project, version=last + 1, recipe=recipe, code_version=CODE_VERSION, by=by, at=now
    )


def _write(
    release: Release, found: Format, folder: Path, *, progress: Callable[[int, int], None], using: str
) -> tuple[str, str]:
    """Members, data files and manifest into the folder; returns the sha-256 of manifest and members."""
    project, counts = release.project, members.Counts()
    name = f"{project.slug}/{release.version}"
    excluded = members.excluded(project, found, recipe=release.recipe, using=using)
    chosen = list(members.choose(project, found, recipe=release.recipe, release=name, counts=counts, using=using))
    if not chosen:
        raise ReleaseRefused("Nothing to release: no item has all its annotations yet (see --partial).")
    frozen = b"".join(orjson.dumps(member, option=orjson.OPT_SORT_KEYS) + b"\n" for member in chosen)
    _keep(folder / "members.jsonl", frozen)
    notes: list[str] = []
    written = list(data_files.data_files(project, found, chosen, folder, notes=notes, progress=progress, using=using))
    manifest = {
        "project": project.slug,
        "protocol": project.protocol,
        "version": release.version,
        "recipe": release.recipe,
        "code_version": release.code_version,
        "members_sha256": hashlib.sha256(frozen).hexdigest(),
        "files": written,
        "notes": notes,
        "counts": {
            split: {
                "items": counts.items[split],
                "annotations": counts.annotations[split],
                "left_out_incomplete": counts.incomplete[split],
                "left_out_excluded": excluded.get(split, 0),
                "draw": projects.draw_of(project, found.activity, split=split),
            }
            | ({"root_annotations": counts.root_annotations[split]} if members.has_root_annotations(found) else {})
            for split in sorted(counts.items | counts.incomplete | counts.root_annotations)
        },
        "annotations_by_person": dict(sorted((k, v) for k, v in counts.by_person.items() if k)),
    }
    data = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    _keep(folder / "manifest.json", data)
    return hashlib.sha256(data).hexdigest(), manifest["members_sha256"]


def _keep(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    document_store.sync(path)
