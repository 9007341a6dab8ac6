"""The names that releases give to annotations and people: keyed hashes, which tell nothing without the site's key."""

from __future__ import annotations

import hmac

from django.conf import settings

from annotation.models import Annotation


def id64(annotation: Annotation) -> int:
    """An unsigned 64-bit id, the same in every release."""
    return int(_digest("annotation", str(annotation.uuid))[:16], 16)


def id_hex(annotation: Annotation) -> str:
    """An id of 40 hex digits, the same in every release."""
    return _digest("annotation", str(annotation.uuid))[:40]


def pseudonym(release: str, person: int | None) -> str:
    """A person's name in one release: 40 hex digits that no other release has ("" for nobody)."""
    return _digest("worker", release, str(person))[:40] if person is not None else ""


def _digest(*parts: str) -> str:
    return hmac.digest(settings.SECRET_KEY.encode(), "\x1f".join(parts).encode(), "sha256").hex()
