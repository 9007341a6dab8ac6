"""Who is in a project, as what, and whether they accepted the consent text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db.models import Exists, QuerySet

from annotation import events, randomness
from annotation.db.compiled import Param, Prepared
from annotation.models import Consent, Membership, Project, Role, User

CONSENT_TEXT = Path(__file__).parent / "texts" / "consent.md"


@lru_cache(maxsize=1)
def consent_text() -> tuple[str, str]:
    """The words that an annotator accepts, and their sha-256."""
    text = CONSENT_TEXT.read_text(encoding="utf-8")
    return text, hashlib.sha256(text.encode()).hexdigest()


def add(*, project: Project, username: str, role: str, by: User | None, now: datetime) -> tuple[User, str | None]:
    """Make the person a member; a person who is new gets a password, which is returned this once (else None)."""
    user, created = User.objects.get_or_create(username=username)
    password = None
    if created:
        password = randomness.password()
        user.set_password(password)
        user.save(update_fields=["password"])
    membership, joined = Membership.objects.get_or_create(
        project=project, user=user, role=Role(role), ended_at=None, defaults={"since": now}
    )
    if joined:
        events.record("member.added", membership, by=by, now=now, user=user.pk, role=role)
    return user, password


def roles_of(user: User, project: Project) -> frozenset[str]:
    """The roles that the person has in the project now."""
    rows = Membership.objects.filter(project=project, user=user, ended_at__isnull=True)
    return frozenset(rows.values_list("role", flat=True))


def roles_in(project: Project) -> dict[int, frozenset[str]]:
    """The roles that each member has in the project now, by the person's key."""
    found: dict[int, frozenset[str]] = {}
    for user, role in Membership.objects.filter(project=project, ended_at__isnull=True).values_list("user", "role"):
        found[user] = found.get(user, frozenset()) | {role}
    return found


def consented_to(user: Any, project: Any) -> Exists:
    """Whether the person accepted today's consent text, within a query; both may refer to a column or place of it."""
    return Exists(Consent.objects.filter(user=user, project=project, text_sha256=consent_text()[1]))


def is_any(user: Any, project: Any, *, of: Iterable[str]) -> Exists:
    """Whether the person has one of these roles now, within a query."""
    return Exists(Membership.objects.filter(user=user, project=project, role__in=of, ended_at__isnull=True))


def lock_person(user: User, project: Project) -> tuple[frozenset[str], bool]:
    """Lock the person's membership rows, so that nothing of theirs is claimed meanwhile: the roles, and the consent."""
    found = _locked(user=user.pk, project=project.pk)
    return frozenset(role for role, _agreed in found), any(agreed for _role, agreed in found)


@Prepared
def _locked() -> QuerySet:
    rows = Membership.objects.filter(user=Param("user"), project=Param("project"), ended_at__isnull=True)
    agreed = consented_to(Param("user"), Param("project"))
    return rows.select_for_update().order_by("pk").values_list("role", agreed)


def has_consented(user: User, project: Project) -> bool:
    """Whether the person accepted today's consent text there."""
    return Consent.objects.filter(user=user, project=project, text_sha256=consent_text()[1]).exists()


def accept_consent(*, user: User, project: Project, now: datetime) -> None:
    """Record that the person accepted today's text; a second time changes nothing."""
    consent, created = Consent.objects.get_or_create(
        user=user, project=project, text_sha256=consent_text()[1], defaults={"at": now}
    )
    if created:
        events.record("consent.accepted", consent, by=user, now=now)
