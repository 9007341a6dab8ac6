"""The project of pairs, made once for the tests of a module."""

from __future__ import annotations

import pytest

from annotation.models import Project
from tests.protocols.toy.building import toy_project


@pytest.fixture(scope="module")
def toys_once(shared_rows) -> int:
    return toy_project().pk


@pytest.fixture
def toys(toys_once, db) -> Project:
    return Project.objects.get(pk=toys_once)
