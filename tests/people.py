"""The tests' people: alice, bob, carol and dora annotate, erin is an expert, lena is a lead, mallory is no member."""

from __future__ import annotations

import pytest

from annotation.models import Project, Role, User
from tests.factories.base import NOON
from tests.factories.people import MemberFactory, UserFactory


def join(project: Project, name: str, role: str = Role.ANNOTATOR) -> User:
    """Add a member with that role who has accepted the consent text."""
    return MemberFactory(project=project, username=name, role=role, now=NOON)


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
    return UserFactory(username="mallory", password="no-member-of-anything")
