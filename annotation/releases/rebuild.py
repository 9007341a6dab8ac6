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
from annotation.releases import data_files


def rebuild(
    release: Release,
    folder: Path,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    using: str = "snapshot",
) -> None:
    """Write every file of a ready release into an empty folder, byte for byte as it was frozen.

    Anything excluded, re-opened or finished since changes nothing. Raises ReleaseRefused if the stored members or
    manifest are not the frozen ones, or if a data file comes out differently (with other code, say).
    """
    kept = releases.folder_of(release)
    members, manifest = (_kept(kept / name) for name in ("members.jsonl", "manifest.json"))
    frozen = (("members.jsonl", members, release.members_sha256), ("manifest.json", manifest, release.manifest_sha256))
    for name, data, sha256 in frozen:
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ReleaseRefused(f"{name} of release {release.version} is not the file that was frozen.")
        (folder / name).write_bytes(data)
    _copy_decisions(kept, folder, orjson.loads(manifest), release)
    found = releases.format_of(release.project, release.recipe["format"])
    chosen = [orjson.loads(line) for line in members.splitlines()]
    with transaction.atomic(using=using):
        made = list(
            data_files.data_files(release.project, found, chosen, folder, notes=[], progress=progress, using=using)
        )
    recorded = orjson.loads(manifest)
    if made != recorded["files"]:
        raise ReleaseRefused(
            f"The rebuilt files of release {release.version} differ; it was built by {recorded['code_version']}."
        )


def _copy_decisions(kept: Path, folder: Path, manifest: dict[str, Any], release: Release) -> None:
    """The decisions are frozen as they are: what was taken back since changes nothing."""
    if recorded := manifest.get("decisions"):
        data = _kept(kept / recorded["name"])
        if hashlib.sha256(data).hexdigest() != recorded["sha256"]:
            raise ReleaseRefused(f"{recorded['name']} of release {release.version} is not the file that was frozen.")
        (folder / recorded["name"]).write_bytes(data)


def _kept(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise ReleaseRefused(f"{path} can't be read. Restore it from a backup of the release.") from None
