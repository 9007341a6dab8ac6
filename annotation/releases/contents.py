"""Write the files of a release into a folder: members, data, what is beside them, data card, manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
from django.utils.translation import gettext as _

from annotation import projects
from annotation.errors import ReleaseRefused
from annotation.models import Project, Release
from annotation.protocol import Format
from annotation.releases import (
    archive,
    card,
    data_files,
    decisions,
    described,
    documents_beside,
    hashed_files,
    members,
    provenance,
    recipes,
    round_files,
    selection,
    tables,
)
from annotation.releases.described import Shape, fields_of_manifest
from annotation.releases.hashed_files import ReleaseFile
from annotation.releases.measuring import counting, measured
from annotation.releases.redacting import Redactor
from annotation.storage import files

Progress = Callable[[int, int], None]
MANIFEST, MEMBERS = "manifest.json", "members.jsonl"


def write(release: Release, release_format: Format, folder: Path, *, progress: Progress, using: str) -> tuple[str, str]:
    """Write everything into an empty folder; returns the sha-256 of the manifest and of the members."""
    project, counts, recipe = release.project, members.Counts(), release.recipe
    name = name_of(project, release.version)
    chosen = list(
        members.choose(
            project,
            release_format,
            recipe=recipe,
            release=name,
            counts=counts,
            using=using,
            looked_at=lambda number: progress(number, 0),
        )
    )
    if not chosen:
        raise ReleaseRefused(_("Nothing to release: no item has all of its annotations yet."), reason="nothing")
    if release_format.key == recipes.PROVENANCE:
        _freeze_seconds(chosen, using=using)
    frozen = b"".join(orjson.dumps(member, option=orjson.OPT_SORT_KEYS) + b"\n" for member in chosen)
    _keep(folder / MEMBERS, frozen)
    notes: list[str] = []
    counted: list[counting.CountedItem] = []
    redactor, shape = Redactor(project, using=using), Shape()
    written = list(
        data_of(
            project,
            release_format,
            chosen,
            folder,
            recipe=recipe,
            notes=notes,
            counted=counted,
            shape=shape,
            progress=progress,
            using=using,
        )
    )
    if not written:
        raise ReleaseRefused(_nothing_written(notes), reason="nothing")
    if release_format.counted:
        counts = counting.counts(release_format, chosen, counted, counts)
    else:
        counted = list(counting.of_members(chosen))
    manifest: dict[str, Any] = {
        "project": project.slug,
        "protocol": project.protocol,
        "version": release.version,
        "recipe": recipe,
        "code_version": release.code_version,
        "members_sha256": hashlib.sha256(frozen).hexdigest(),
        "files": written,
        "fields": fields_of_manifest(shape),
        "notes": [redactor.redacted(note) for note in notes],
        "left_out": counting.left_out(project, release_format, recipe=recipe, using=using),
        "counts": counts_of(project, release_format, recipe, counts, using=using),
        "annotations_by_person": dict(sorted(counts.by_person.items())),
        "measured": measured.facts(release, chosen, counted, name=name, using=using),
    }
    if decided := decisions.lines(project, chosen, recipe=recipe, release=name, redactor=redactor, using=using):
        manifest["decisions"] = _kept(folder / decisions.NAME, decided, lines=True)
    if judged_rounds := list(_judged(project, chosen, folder, recipe=recipe, redactor=redactor, using=using)):
        manifest["rounds"] = judged_rounds
    about = (project, release_format, folder, manifest, chosen, shape)
    manifest["beside"] = list(_beside(*about, redactor=redactor, using=using))
    if archive.is_archived(manifest, hub=release_format.key == recipes.HUGGING_FACE):
        manifest["beside"].append(archive.write(folder, archive.name_of(manifest), archive.contents(manifest)))
    data = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    _keep(folder / MANIFEST, data)
    sha256 = hashlib.sha256(data).hexdigest()
    write_sums(folder, manifest, manifest_sha256=sha256)
    return sha256, manifest["members_sha256"]


def name_of(project: Project, version: int) -> str:
    """What the ids and pseudonyms of a release are derived from."""
    return f"{project.slug}/{version}"


def files_of(manifest: dict[str, Any]) -> list[ReleaseFile]:
    """The entries of the files that a manifest describes, but for the members, which stay at the site."""
    beside = [manifest["decisions"]] if "decisions" in manifest else []
    return [*manifest["files"], *manifest.get("beside", ()), *manifest.get("rounds", ()), *beside]


def write_sums(folder: Path, manifest: dict[str, Any], *, manifest_sha256: str) -> None:
    """Write the hashes of all files that are given out beside them; releases of the first writer have no such file."""
    if recipes.writer_of(manifest["recipe"]) > 1:
        described: ReleaseFile = {"name": MANIFEST, "sha256": manifest_sha256}
        _keep(folder / hashed_files.NAME, hashed_files.text([*files_of(manifest), described]))


def _freeze_seconds(chosen: list[members.FrozenMember], *, using: str) -> None:
    """Keep with each annotation how long people worked on it: later work on it must not change a rebuild."""
    every = (entry for member in members.each(chosen) for entry in member["annotations"])
    entries = {entry["uuid"]: entry for entry in every if not entry["imported"]}
    for uuid, shares in measured.seconds_of_work(entries.values(), using=using):
        entries[uuid]["seconds"] = shares


def _nothing_written(notes: list[str]) -> str:
    text = _("Nothing to release: the format leaves out all that is finished.")
    return f"{text} {notes[0]}" if notes else text


def data_of(
    project: Project,
    release_format: Format,
    chosen: list[members.FrozenMember],
    folder: Path,
    *,
    recipe: dict[str, Any],
    notes: list[str],
    counted: list[counting.CountedItem],
    shape: Shape,
    progress: Progress,
    using: str,
) -> Iterator[ReleaseFile]:
    """Write the data files of frozen members; yields their entries in the manifest.

    Added to `notes`, `counted` and `shape`: what the format says of them, what it has of them if it leaves some out,
    and which fields.
    """
    common: dict[str, Any] = {
        "counted": counted,
        "shape": shape,
        "progress": progress,
        "using": using,
        "recipe": recipe,
    }
    if release_format.key == recipes.HUGGING_FACE:
        return tables.write(project, release_format, chosen, folder, **common)
    return data_files.data_files(project, release_format, chosen, folder, notes=notes, **common)


def _judged(
    project: Project,
    chosen: list[members.FrozenMember],
    folder: Path,
    *,
    recipe: recipes.Recipe,
    redactor: Redactor,
    using: str,
) -> Iterator[ReleaseFile]:
    """Write the file of each judging round that is over; yields their entries in the manifest."""
    for each in round_files.judged_rounds(project, chosen, recipe=recipe, redactor=redactor, using=using):
        (folder / round_files.FOLDER).mkdir(mode=0o755, exist_ok=True)
        yield {**_kept(folder / each.name, each.lines, lines=True), "name": each.name, "round": each.about}


def _beside(
    project: Project,
    release_format: Format,
    folder: Path,
    manifest: dict[str, Any],
    chosen: list[members.FrozenMember],
    shape: Shape,
    *,
    redactor: Redactor,
    using: str,
) -> Iterator[ReleaseFile]:
    """Write what is beside the data: what was left out, the data card, and descriptions for machines."""
    if release_format.key == recipes.PROVENANCE:
        recipe = manifest["recipe"]
        name = name_of(project, manifest["version"])
        lines = provenance.left_out(
            project, release_format, recipe=recipe, release=name, redactor=redactor, using=using
        )
        yield _kept(folder / provenance.LEFT_OUT, lines, lines=True)
        yield documents_beside.write(project, chosen, folder, recipe=recipe, using=using)
    yield _kept(folder / card.NAME, card.text(manifest).encode())
    yield _kept(folder / described.SCHEMA, described.schema_text(shape, manifest, release_format))
    yield _kept(folder / described.CROISSANT, described.croissant_text(shape, manifest, release_format))


def is_made_again(entry: ReleaseFile) -> bool:
    """Whether a file beside the data follows from the others: the archive. The words of a card change with the code."""
    return str(entry["name"]).endswith(".zip")


def made_again(folder: Path, manifest: dict[str, Any]) -> list[ReleaseFile]:
    """Write those files from a frozen manifest, its card and rebuilt data; returns their entries."""
    zips = [entry["name"] for entry in manifest.get("beside", ()) if is_made_again(entry)]
    return [archive.write(folder, name, archive.contents(manifest)) for name in zips]


def counts_of(
    project: Project, release_format: Format, recipe: dict[str, Any], counts: members.Counts, *, using: str
) -> dict[str, dict[str, Any]]:
    """What was included and left out, by split, for a manifest."""
    excluded = selection.excluded(project, release_format, recipe=recipe, using=using)
    return {
        split: {
            "items": counts.items[split],
            "annotations": counts.annotations[split],
            "left_out_incomplete": counts.incomplete[split],
            "left_out_excluded": excluded.get(split, 0),
            "draw": projects.draw_of(project, release_format.activity, split=split),
        }
        | (
            {"root_annotations": counts.root_annotations[split]}
            if selection.has_root_annotations(release_format)
            else {}
        )
        | ({"left_out_by_name": counts.named[split]} if recipe.get("without") else {})
        | ({"left_out_by_format": counts.unwritten[split]} if counts.unwritten[split] else {})
        | ({"flagged": counts.flagged[split]} if members.has_flags(project) else {})
        for split in sorted(
            {*counts.items, *counts.incomplete, *counts.root_annotations, *counts.named, *+counts.unwritten}
        )
    }


def _kept(path: Path, data: bytes, *, lines: bool = False) -> ReleaseFile:
    """Write a file; returns its entry in the manifest."""
    _keep(path, data)
    entry: ReleaseFile = {"name": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    if lines:
        entry["records"] = data.count(b"\n")
    return entry


def _keep(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    files.sync(path)
