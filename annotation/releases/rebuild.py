"""Build the files of a frozen release again, from its members and the rows that never change, and compare them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import orjson
from django.db import transaction

from annotation import releases
from annotation.errors import ReleaseRefused
from annotation.models import Release
from annotation.releases import data_files


def rebuild(
    release: Release,
    folder: Path,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    using: str = "snapshot",
) -> None:
    """Write every file of a ready release into an empty folder, byte for byte as it was frozen.

    What was excluded, re-opened or finished since changes nothing. Raises ReleaseRefused where the kept members or
    manifest are not those that were frozen, or a data file comes out otherwise (as by other code).
    """
    kept = releases.folder_of(release)
    members, manifest = (_kept(kept / name) for name in ("members.jsonl", "manifest.json"))
    frozen = (("members.jsonl", members, release.members_sha256), ("manifest.json", manifest, release.manifest_sha256))
    for name, data, sha256 in frozen:
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ReleaseRefused(f"{name} of release {release.version} is not the one that was frozen.")
        (folder / name).write_bytes(data)
    found = releases.format_of(release.project, release.recipe["format"])
    chosen = [orjson.loads(line) for line in members.splitlines()]
    with transaction.atomic(using=using):
        made = list(
            data_files.data_files(release.project, found, chosen, folder, notes=[], progress=progress, using=using)
        )
    said = orjson.loads(manifest)
    if made != said["files"]:
        raise ReleaseRefused(f"Release {release.version} comes out otherwise; it was built by {said['code_version']}.")


def _kept(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise ReleaseRefused(f"{path} can't be read; put it back from a copy of the release.") from None
