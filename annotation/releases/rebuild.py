"""Rebuild the files of a frozen release from its members and the immutable rows, and verify their hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from django.db import transaction

from annotation import releases
from annotation.errors import ReleaseRefused
from annotation.models import Release
from annotation.releases import contents
from annotation.releases.described import Shape
from annotation.releases.hashed_files import ReleaseFile


def rebuild(
    release: Release,
    folder: Path,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    using: str = "snapshot",
) -> None:
    """Write every file of a ready release into an empty folder, byte for byte as it was frozen.

    Anything excluded, re-opened or finished since changes nothing. Raises ReleaseRefused if the stored members,
    manifest or card are not the frozen ones, or if a data file comes out differently (with other code, say).
    """
    kept = releases.folder_of(release)
    members, manifest = (_kept(kept / name) for name in (contents.MEMBERS, contents.MANIFEST))
    frozen = (
        (contents.MEMBERS, members, release.members_sha256),
        (contents.MANIFEST, manifest, release.manifest_sha256),
    )
    for name, data, sha256 in frozen:
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ReleaseRefused(f"{name} of release {release.version} is not the file that was frozen.")
        (folder / name).write_bytes(data)
    recorded = orjson.loads(manifest)
    _copy_beside(kept, folder, recorded, release)
    found = releases.format_of(release.project, release.recipe["format"])
    chosen = [orjson.loads(line) for line in members.splitlines()]
    with transaction.atomic(using=using):
        made = list(
            contents.data_of(
                release.project,
                found,
                chosen,
                folder,
                recipe=release.recipe,
                notes=[],
                counted=[],
                shape=Shape(),
                progress=progress,
                using=using,
            )
        )
    made += contents.made_again(folder, recorded)
    frozen_files = [*recorded["files"], *(one for one in recorded.get("beside", ()) if contents.is_made_again(one))]
    if made != frozen_files:
        how = "have the same text, but are packed differently" if _text(made) == _text(frozen_files) else "differ"
        names = dict.fromkeys(
            one["name"] for one in [*frozen_files, *made] if one not in frozen_files or one not in made
        )
        raise ReleaseRefused(
            f"The rebuilt files of release {release.version} {how} ({', '.join(names)}); it was built by"
            f" {recorded['code_version']}."
        )
    contents.write_sums(folder, recorded, manifest_sha256=release.manifest_sha256)


def _text(entries: list[ReleaseFile]) -> list[tuple[str, str]]:
    """The names of files and the sha-256 of their text, however it is packed."""
    return [(entry["name"], entry.get("unpacked_sha256", entry["sha256"])) for entry in entries]


def _copy_beside(kept: Path, folder: Path, manifest: dict[str, Any], release: Release) -> None:
    """Card, decisions, judging rounds and what was left out are frozen as they are: what was taken back or judged since
    changes nothing."""
    beside = [one for one in manifest.get("beside", ()) if not contents.is_made_again(one)]
    for recorded in [
        *([manifest["decisions"]] if "decisions" in manifest else []),
        *beside,
        *manifest.get("rounds", ()),
    ]:
        data = _kept(kept / recorded["name"])
        if hashlib.sha256(data).hexdigest() != recorded["sha256"]:
            raise ReleaseRefused(f"{recorded['name']} of release {release.version} is not the file that was frozen.")
        (folder / recorded["name"]).parent.mkdir(exist_ok=True)
        (folder / recorded["name"]).write_bytes(data)


def _kept(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise ReleaseRefused(f"{path} can't be read. Restore it from a backup of the release.") from None
