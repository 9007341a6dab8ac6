"""Secrets that are generated once and stored in the data folder, readable by their owner only."""

from __future__ import annotations

import fcntl
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from annotation.storage import files

FINGERPRINT = "id_key.sha256"
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
    if not (folder / "id_key").exists() and (folder / "objects" / FINGERPRINT).exists():
        raise ImproperlyConfigured(
            f"{folder / 'id_key'} is missing, but the ids of this site were made with it. Restore it from a backup. "
            f"Delete {folder / 'objects' / FINGERPRINT} only if all ids may change."
        )
    older = any((folder / name).exists() for name in _DATA)
    return kept_secret(folder, "id_key", first=secret_key if older else "")


def check_id_key(folder: Path, id_key: str) -> None:
    """Raise ImproperlyConfigured if the ids of this data folder were made with another key.

    A fingerprint of the key is kept with the documents, which every backup has, as soon as there are some.
    """
    kept = folder / "objects" / FINGERPRINT
    fingerprint = hmac.digest(id_key.encode(), b"id key", "sha256").hex()
    if kept.exists():
        if kept.read_text().strip() != fingerprint:
            raise ImproperlyConfigured(
                f"GOLDFINCH_ID_KEY (or {folder / 'id_key'}) is not the key that the ids of this site were made with. "
                f"Restore it from a backup. Delete {kept} only if all ids may change."
            )
    elif kept.parent.is_dir():
        with suppress(OSError):  # full or read-only: the next start keeps it
            files.write_whole(kept, fingerprint.encode())


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold an exclusive file lock (flock) on the folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
