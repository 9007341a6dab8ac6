"""Pseudonymous ids of annotations and people in releases, and of erased participants.

They are keyed hashes (HMAC) under GOLDFINCH_ID_KEY.
It is not SECRET_KEY, so that SECRET_KEY can be rotated without changing the ids.

A database whose ids were made with another key is not opened: a fingerprint of the key is a row, which backups have.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, OperationalError, ProgrammingError, connection

from annotation.models import IdKey


def id_hex(uuid: str) -> str:
    """An annotation's id of 40 hex digits inside the site, from which the ids of items made from it are derived."""
    return _digest("annotation", uuid)[:40]


def id_in(release: str, uuid: str) -> str:
    """An annotation's id of 40 hex digits in one release, different in every release."""
    return _digest("annotation", release, uuid)[:40]


def id64(name: str) -> int:
    """Either id as an unsigned 64-bit number: the first 16 of its hex digits."""
    return int(name[:16], 16)


def pseudonym(release: str, person: int | None) -> str:
    """A person's pseudonym in one release: 40 hex digits, different in every release ("" for None)."""
    return _digest("worker", release, str(person))[:40] if person is not None else ""


def of_participant(project: int, external_id: str) -> str:
    """What is kept of the id of an erased participant of a recruitment site: 40 hex digits, per project."""
    return _digest("participant", str(project), external_id)[:40]


def _digest(*parts: str) -> str:
    found = _keyed(settings.GOLDFINCH_ID_KEY).copy()
    found.update("\x1f".join(parts).encode())
    return found.hexdigest()


@lru_cache
def _keyed(key: str) -> hmac.HMAC:
    """The hash before any text: a copy is made in half the time of a new one, and a release has two per annotation."""
    return hmac.new(key.encode(), digestmod="sha256")


EARLIER = Path("objects") / "id_key.sha256"
"""The file in the data folder in which earlier versions kept the fingerprint."""
_seen: dict[str, str] = {}
"""The fingerprint in each database that this process has opened, by its name."""


def fingerprint(key: str) -> str:
    """64 hex digits that do not tell the key."""
    return hmac.digest(key.encode(), b"id key", "sha256").hex()


def check(opened: Any) -> None:
    """ImproperlyConfigured if the ids in this database were made with another key; asks each database once."""
    name = str(opened.settings_dict["NAME"])
    if name not in _seen:
        try:
            kept = IdKey.objects.using(opened.alias).values_list("fingerprint", flat=True).first()
        except (OperationalError, ProgrammingError):  # before `migrate`
            return
        if kept is None:
            return
        _seen[name] = kept
    if _seen[name] != fingerprint(settings.GOLDFINCH_ID_KEY):
        place = Path(settings.GOLDFINCH_DATA) / "id_key"
        raise ImproperlyConfigured(
            f"GOLDFINCH_ID_KEY (or {place}) is not the key that the ids of this site were made with. "
            "Restore it from a backup. Only if all ids may change, empty the table annotation_idkey."
        )


def check_when_connected(**signal: Any) -> None:
    """A receiver of `connection_created`."""
    if signal["connection"].alias == DEFAULT_DB_ALIAS:
        check(signal["connection"])


def keep_after_migrate(**signal: Any) -> None:
    """A receiver of `post_migrate`: from now on, the ids of this site are made with the key that it has now."""
    if IdKey._meta.db_table in connection.introspection.table_names() and not IdKey.objects.exists():
        earlier = Path(settings.GOLDFINCH_DATA) / EARLIER
        kept = earlier.read_text().strip() if earlier.exists() else fingerprint(settings.GOLDFINCH_ID_KEY)
        IdKey.objects.create(fingerprint=kept)
