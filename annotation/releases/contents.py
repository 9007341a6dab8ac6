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
    layouts,
    left_out,
    measured,
    members,
    provenance,
    selection,
    tables,
)
from annotation.releases.redacting import Redactor
from annotation.storage import files

Progress = Callable[[int, int], None]


def write(release: Release, found: Format, folder: Path, *, progress: Progress, using: str) -> tuple[str, str]:
    """Write everything into an empty folder; returns the sha-256 of the manifest and of the members."""
    project, counts, recipe = release.project, members.Counts(), release.recipe
    name = f"{project.slug}/{release.version}"
    chosen = list(
        members.choose(
            project,
            found,
            recipe=recipe,
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
    written = list(data_of(project, found, chosen, folder, recipe=recipe, notes=notes, progress=progress, using=using))
    manifest: dict[str, Any] = {
        "project": project.slug,
        "protocol": project.protocol,
        "version": release.version,
        "recipe": recipe,
        "code_version": release.code_version,
        "members_sha256": hashlib.sha256(frozen).hexdigest(),
        "files": written,
        "notes": [redactor.redacted(note) for note in notes],
        "left_out": left_out.left_out(project, found, recipe=recipe, using=using),
        "counts": counts_of(project, found, recipe, counts, using=using),
        "annotations_by_person": dict(sorted(counts.by_person.items())),
        "measured": measured.facts(release, chosen, using=using),
    }
    if decided := decisions.lines(project, chosen, release=name, redactor=redactor, using=using):
        manifest["decisions"] = _kept(folder / decisions.NAME, decided, lines=True)
    manifest["beside"] = list(_beside(project, found, folder, manifest, redactor=redactor, using=using))
    data = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    _keep(folder / "manifest.json", data)
    return hashlib.sha256(data).hexdigest(), manifest["members_sha256"]


def data_of(
    project: Project,
    found: Format,
    chosen: list[dict[str, Any]],
    folder: Path,
    *,
    recipe: dict[str, Any],
    notes: list[str],
    progress: Progress,
    using: str,
) -> Iterator[dict[str, Any]]:
    """Write the data files of frozen members; yields their entries in the manifest."""
    if found.key == layouts.HUGGING_FACE:
        return tables.write(project, found, chosen, folder, progress=progress, using=using)
    times = recipe.get("times", layouts.COARSEST)
    return data_files.data_files(
        project, found, chosen, folder, notes=notes, progress=progress, using=using, times=times
    )


def _beside(
    project: Project, found: Format, folder: Path, manifest: dict[str, Any], *, redactor: Redactor, using: str
) -> Iterator[dict[str, Any]]:
    """Write what is beside the data: what was left out, the data card, and all of it in one archive."""
    if found.key == layouts.PROVENANCE:
        recipe = manifest["recipe"]
        lines = provenance.left_out(project, found, recipe=recipe, redactor=redactor, using=using)
        yield _kept(folder / provenance.LEFT_OUT, lines, lines=True)
    yield _kept(folder / card.NAME, card.text(manifest).encode())
    if found.key == layouts.HUGGING_FACE:
        yield archive.write(folder, archive.name_of(manifest), archive.contents(manifest))


def is_made_again(entry: dict[str, Any]) -> bool:
    """Whether a file beside the data follows from the manifest and the data: the card, and the archive."""
    return entry["name"] == card.NAME or entry["name"].endswith(".zip")


def made_again(folder: Path, manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Write those files from a frozen manifest and rebuilt data; returns their entries."""
    names = [entry["name"] for entry in manifest.get("beside", ()) if is_made_again(entry)]
    made = [_kept(folder / card.NAME, card.text(manifest).encode())] if card.NAME in names else []
    zips = [name for name in names if name != card.NAME]
    return made + [archive.write(folder, name, archive.contents(manifest)) for name in zips]


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


def _kept(path: Path, data: bytes, *, lines: bool = False) -> dict[str, Any]:
    """Write a file; returns its entry in the manifest."""
    _keep(path, data)
    entry = {"name": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return entry | ({"records": data.count(b"\n")} if lines else {})


def _keep(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    files.sync(path)
