"""The project of papers of tests/tasks/conftest.py, made once for all tests of a module.

What a test adds is rolled back. Other projects that a test makes are beside it. Not for tests with real commits.
"""

from __future__ import annotations

import pytest

from annotation.models import Project
from tests.builders import open_papers


@pytest.fixture(scope="module")
def papers_once(shared_rows) -> int:
    return open_papers().pk


@pytest.fixture
def papers(papers_once, db) -> Project:
    return Project.objects.get(pk=papers_once)
