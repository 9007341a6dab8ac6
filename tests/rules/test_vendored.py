"""Vendored browser files are unchanged, and each folder has its version and its licence."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

VENDOR = Path(__file__).resolve().parents[2] / "frontend" / "static" / "vendor"


def test_every_vendored_file_has_the_hash_it_came_with():
    lines = (VENDOR / "SHA256SUMS").read_text().splitlines()
    listed = {name.removeprefix("./"): digest for digest, name in (line.split(maxsplit=1) for line in lines)}
    files = [path for path in VENDOR.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
    found = {path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert found == listed


def test_every_vendored_folder_names_its_version_and_holds_a_licence():
    for folder in VENDOR.iterdir():
        if folder.is_dir():
            assert re.fullmatch(r"[a-z-]+-\d+(\.\d+)+", folder.name)
            assert any(path.name.upper().startswith("LICENSE") for path in folder.iterdir())
