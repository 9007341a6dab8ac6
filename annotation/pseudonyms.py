"""Pseudonymous ids of annotations and people in releases, and of erased participants.

They are keyed hashes (HMAC) under GOLDFINCH_ID_KEY.
It is not SECRET_KEY, so that SECRET_KEY can be rotated without changing the ids.
"""

from __future__ import annotations

import hmac

from django.conf import settings


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
    return hmac.digest(settings.GOLDFINCH_ID_KEY.encode(), "\x1f".join(parts).encode(), "sha256").hex()
