"""A release in one file: a zip archive that is the same byte for byte whenever it is made."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotation.releases import card
from annotation.storage import files

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive: the first that the format knows."""
BLOCK = 1024 * 1024


def name_of(manifest: dict[str, Any]) -> str:
    """Such as harbours-3.zip."""
    return f"{manifest['project']}-{manifest['version']}.zip"


def contents(manifest: dict[str, Any]) -> list[str]:
    """The names of the files in it: the data card and the data."""
    return [card.NAME, *(entry["name"] for entry in manifest["files"])]


def write(folder: Path, name: str, names: Iterable[str]) -> dict[str, Any]:
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
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return {"name": name, "bytes": path.stat().st_size, "sha256": digest.hexdigest()}
