"""The tests' people: alice, bob, carol and dora annotate, erin is an expert, lena is a lead, mallory is no member."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from annotation import membership
from annotation.models import Project, Role, User

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""The time of anything whose time does not matter."""


def join(project: Project, name: str, role: str = Role.ANNOTATOR) -> User:
    """Add a member with that role who has accepted the consent text."""
    user, _ = membership.add(project=project, username=name, role=role, by=None, now=NOON)
    membership.accept_consent(user=user, project=project, now=NOON)
    return user


@pytest.fixture
def alice(nq: Project) -> User:
    return join(nq, "alice")


@pytest.fixture
def bob(nq: Project) -> User:
    return join(nq, "bob")


@pytest.fixture
def carol(nq: Project) -> User:
    return join(nq, "carol")


@pytest.fixture
def erin(nq: Project) -> User:
    return join(nq, "erin", Role.EXPERT)


@pytest.fixture
def lena(nq: Project) -> User:
    return join(nq, "lena", Role.LEAD)


@pytest.fixture
def mallory(db: None) -> User:
    return User.objects.create_user("mallory", password="no-member-of-anything")
