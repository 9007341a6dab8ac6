"""Secrets that are made once and kept beside the data, readable by their owner only."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from annotation import document_store

_DATA = ("objects", "goldfinch.sqlite3")
"""What a data folder holds once something was imported; at the latest then somebody may have an id."""


def kept_secret(folder: Path, name: str = "secret_key", *, first: str = "") -> str:
    """Read the secret of that name, or make it (`first`, else a random one); all processes have the same one."""
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            if not path.exists():
                document_store.write_whole(path, (first or secrets.token_urlsafe(48)).encode())
    secret = path.read_text().strip()
    if not secret:
        raise ImproperlyConfigured(f"{path} is empty. Put it back from a backup.")
    return secret


def kept_id_key(folder: Path, *, secret_key: str) -> str:
    """Read the key of ids and pseudonyms, or make it: a random one.

    A data folder that is older than this key goes on with SECRET_KEY, by which its ids were made until then.
    """
    older = any((folder / name).exists() for name in _DATA)
    return kept_secret(folder, "id_key", first=secret_key if older else "")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process makes a secret here."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
