"""Secrets that are generated once and stored in the data folder, readable by their owner only."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from annotation.storage import files

_DATA = ("objects", "goldfinch.sqlite3")
"""A data folder holds one of these once something has been imported; from then on ids may be in use."""


def kept_secret(folder: Path, name: str = "secret_key", *, first: str = "") -> str:
    """Read the secret of that name, or create it (`first`, else random). All processes get the same one."""
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            if not path.exists():
                files.write_whole(path, (first or secrets.token_urlsafe(48)).encode())
    secret = path.read_text().strip()
    if not secret:
        raise ImproperlyConfigured(f"{path} is empty. Restore it from a backup.")
    return secret


def kept_id_key(folder: Path, *, secret_key: str) -> str:
    """Read the key for ids and pseudonyms, or create a random one.

    A data folder from before this key existed uses SECRET_KEY, with which its ids were made.
    """
    older = any((folder / name).exists() for name in _DATA)
    return kept_secret(folder, "id_key", first=secret_key if older else "")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold an exclusive file lock (flock) on the folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
