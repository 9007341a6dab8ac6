"""A release in one file: a zip archive that is the same byte for byte whenever it is made."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotation.releases import card, hashed_files, recipes
from annotation.storage import files

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive: the first that the format knows."""
BLOCK = 1024 * 1024


def name_of(manifest: dict[str, Any]) -> str:
    """Such as harbours-3.zip."""
    return f"{manifest['project']}-{manifest['version']}.zip"


LARGEST = 2 * 1024**3
"""Bytes of data up to which a release in another format than that of the hub has an archive too."""


def is_archived(manifest: dict[str, Any], *, hub: bool) -> bool:
    """Whether the release has an archive; from the earlier writers only one for the hub has."""
    small = sum(entry["bytes"] for entry in manifest["files"]) <= LARGEST
    return hub or (small and recipes.writer_of(manifest["recipe"]) >= recipes.ARCHIVES)


def contents(manifest: dict[str, Any]) -> list[str]:
    """The names of the files in it: the card and the data; from the third writer on all that have a hash by then."""
    data = [entry["name"] for entry in manifest["files"]]
    if recipes.writer_of(manifest["recipe"]) < recipes.ARCHIVES:
        return [card.NAME, *data]
    beside = [entry["name"] for entry in manifest["beside"] if not entry["name"].endswith(".zip")]
    beside += [entry["name"] for entry in manifest.get("rounds", ())]
    return [*beside, *([manifest["decisions"]["name"]] if "decisions" in manifest else []), *data]


def write(folder: Path, name: str, names: Iterable[str]) -> hashed_files.ReleaseFile:
    """Pack these files of the folder, uncompressed (they are already); returns the entry in the manifest."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for each in names:
            about = zipfile.ZipInfo(each, EARLIEST)
            about.external_attr = 0o644 << 16
            about.file_size = (folder / each).stat().st_size
            with (folder / each).open("rb") as source, archive.open(about, "w") as target:
                shutil.copyfileobj(source, target, BLOCK)
    files.sync(path)
    return {"name": name, **hashed_files.size_and_hash(path)}
