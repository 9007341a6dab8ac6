"""Secrets that are made once and kept beside the data, readable by their owner only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept_secret(folder: Path, name: str = "secret_key") -> str:
    """Read the secret of that name, or make it; two processes that start together end with the same one."""
    path = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(48))
    return path.read_text().strip()
