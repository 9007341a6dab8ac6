"""Build a release in a staging folder and publish it by an atomic rename: a visible version is always complete."""

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
from django.utils.translation import gettext as _

from annotation import projects, registry, state_machine
from annotation.errors import ReleaseRefused
from annotation.models import Project, Purpose, Release, User
from annotation.models.release import RELEASE_MOVES
from annotation.protocol import Format
from annotation.releases import data_files, decisions, left_out, members, selection
from annotation.releases.code_version import CODE_VERSION
from annotation.releases.redacting import Redactor
from annotation.storage import files

STAGING = ".part-"
"""Prefix of a staging folder, which is never shown to anybody."""
BUSY = "busy"
"""The reason code of a refusal while another release of the project is being built."""


def build(
    project: Project,
    *,
    format: str,
    by: User | None,
    now: datetime,
    splits: Iterable[str] = (),
    partial: bool = False,
    until: datetime | None = None,
    without: Iterable[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    using: str = "snapshot",
) -> Release:
    """Freeze the finished work as the project's next version, in one format, from one snapshot of the database.

    `until`: nothing said later counts. `without`: items to leave out (`selection.name_of`). `progress` is told how many
    of how many items have been written, and before that, with a total of 0, how many have been looked at.
    Raises ReleaseRefused if nothing is finished or something can't be written in that format; the version is then
    marked as failed.
    """
    found = format_of(project, format)
    recipe = recipe_of(format=format, splits=splits, partial=partial, until=until, without=without)
    with _alone(project):
        _clear_away(project, by=by, now=now)
        check_splits(project, found, sorted(splits))
        release = _begin(project, recipe, by=by, now=now)
        final = folder_of(release)
        staging = Path(tempfile.mkdtemp(dir=final.parent, prefix=STAGING))
        try:
            with transaction.atomic(using=using):
                manifest, frozen = _write(release, found, staging, progress=progress, using=using)
            staging.chmod(0o755)
            os.replace(staging, final)
            files.sync(final.parent)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            state_machine.move(release, Release.State.FAILED, moves=RELEASE_MOVES, by=by, now=now)
            raise
        with transaction.atomic():
            hashes = {"members_sha256": frozen, "manifest_sha256": manifest}
            state_machine.move(release, Release.State.READY, moves=RELEASE_MOVES, by=by, now=now, data=hashes, **hashes)
    return release


def recipe_of(
    *,
    format: str,
    splits: Iterable[str] = (),
    partial: bool = False,
    until: datetime | None = None,
    without: Iterable[str] = (),
) -> dict[str, Any]:
    """What a release is made by, as its manifest states it; a cut-off and items left out only if there are any."""
    recipe: dict[str, Any] = {
        "format": format,
        "splits": sorted(splits),
        "partial": partial,
        "purposes": [Purpose.WORK, Purpose.IMPORT],
    }
    if until is not None:
        recipe["until"] = until.isoformat()
    if named := sorted(without):
        recipe["without"] = named
    return recipe


def check_splits(project: Project, found: Format, splits: Iterable[str]) -> None:
    """ReleaseRefused for a split without items, before it takes a version."""
    have = selection.splits(project, found)
    for split in splits:
        if split not in have:
            raise ReleaseRefused(f"{project.slug} has nothing in a split {split}, only in: {', '.join(sorted(have))}.")


@contextmanager
def _alone(project: Project) -> Iterator[None]:
    """File lock: one build per project at a time, so an unfinished release found under the lock was killed."""
    with ExitStack() as held:
        try:
            held.enter_context(files.alone(_place(project) / ".lock"))
        except BlockingIOError:
            text = f"Another release of {project.slug} is being built. Wait until it is ready."
            raise ReleaseRefused(text, reason=BUSY) from None
        yield


def _clear_away(project: Project, *, by: User | None, now: datetime) -> None:
    """Clean up after killed builds: delete their folders and mark their versions as failed."""
    for dead in project.releases.filter(state=Release.State.BUILDING):
        shutil.rmtree(folder_of(dead), ignore_errors=True)
        state_machine.move(dead, Release.State.FAILED, moves=RELEASE_MOVES, by=by, now=now)
    for staging in _place(project).glob(f"{STAGING}*"):
        shutil.rmtree(staging, ignore_errors=True)


def _place(project: Project) -> Path:
    return settings.GOLDFINCH_DATA / "releases" / project.slug


def folder_of(release: Release) -> Path:
    """The folder with the files of a release."""
    return _place(release.project) / str(release.version)


def manifest_of(release: Release) -> dict[str, Any]:
    """The manifest of a ready release."""
    return orjson.loads((folder_of(release) / "manifest.json").read_bytes())


def files_in(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """The files of a release, in the order of its page: those with data first, the manifest last."""
    beside = [manifest["decisions"]] if "decisions" in manifest else []
    return [*manifest["files"], *beside, {"name": "members.jsonl"}, {"name": "manifest.json"}] if manifest else []


def formats_of(project: Project) -> tuple[Format, ...]:
    """The layouts in which a project can be released; the first is the default."""
    return registry.get(project.protocol).formats


def format_of(project: Project, key: str) -> Format:
    """The format with that key; otherwise ReleaseRefused, listing the keys that exist."""
    formats = formats_of(project)
    for found in formats:
        if found.key == key:
            return found
    raise ReleaseRefused(f"{project.protocol} has no format {key}, only {', '.join(f.key for f in formats)}.")


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
    """Write members, data files and manifest to the folder; returns the sha-256 of the manifest and of the members."""
    project, counts = release.project, members.Counts()
    name = f"{project.slug}/{release.version}"
    chosen = list(
        members.choose(
            project,
            found,
            recipe=release.recipe,
            release=name,
            counts=counts,
            using=using,
            looked_at=lambda number: progress(number, 0),
        )
    )
    if not chosen:
        raise ReleaseRefused(_("Nothing to release: no item has all of its annotations yet."), reason="nothing")
    frozen = b"".join(orjson.dumps(member, option=orjson.OPT_SORT_KEYS) + b"\n" for member in chosen)
    _keep(folder / "members.jsonl", frozen)
    notes: list[str] = []
    redactor = Redactor(project, using=using)
    written = list(data_files.data_files(project, found, chosen, folder, notes=notes, progress=progress, using=using))
    manifest: dict[str, Any] = {
        "project": project.slug,
        "protocol": project.protocol,
        "version": release.version,
        "recipe": release.recipe,
        "code_version": release.code_version,
        "members_sha256": hashlib.sha256(frozen).hexdigest(),
        "files": written,
        "notes": [redactor.redacted(note) for note in notes],
        "left_out": left_out.left_out(project, found, recipe=release.recipe, using=using),
        "counts": counts_of(project, found, release.recipe, counts, using=using),
        "annotations_by_person": dict(sorted((k, v) for k, v in counts.by_person.items() if k)),
    }
    decided = decisions.lines(project, chosen, release=name, redactor=redactor, using=using)
    if decided:
        _keep(folder / decisions.NAME, decided)
        manifest["decisions"] = {
            "name": decisions.NAME,
            "records": decided.count(b"\n"),
            "bytes": len(decided),
            "sha256": hashlib.sha256(decided).hexdigest(),
        }
    data = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    _keep(folder / "manifest.json", data)
    return hashlib.sha256(data).hexdigest(), manifest["members_sha256"]


def counts_of(
    project: Project, found: Format, recipe: dict[str, Any], counts: members.Counts, *, using: str
) -> dict[str, dict[str, Any]]:
    """What was included and left out, by split, for a manifest."""
    excluded = selection.excluded(project, found, recipe=recipe, using=using)
    return {
        split: {
            "items": counts.items[split],
            "annotations": counts.annotations[split],
            "left_out_incomplete": counts.incomplete[split],
            "left_out_excluded": excluded.get(split, 0),
            "draw": projects.draw_of(project, found.activity, split=split),
        }
        | ({"root_annotations": counts.root_annotations[split]} if selection.has_root_annotations(found) else {})
        | ({"left_out_by_name": counts.named[split]} if recipe.get("without") else {})
        | ({"flagged": counts.flagged[split]} if members.has_flags(project) else {})
        for split in sorted(counts.items | counts.incomplete | counts.root_annotations | counts.named)
    }


def _keep(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    files.sync(path)
