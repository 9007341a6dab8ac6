"""Fixtures of the toy protocol: its project, and two people seated in it, whose rows the tests of a module share."""

from __future__ import annotations

import pytest

from annotation.models import Project
from tests.protocols.toy.building import Pair, toy_project


@pytest.fixture(scope="module")
def seated(shared_rows) -> tuple[Project, Pair]:
    """A project with the topics of the example and both queues open, and an asker and a teller at one topic."""
    made = toy_project()
    return made, Pair.seated(made)


@pytest.fixture
def toys(seated, db) -> Project:
    return seated[0]


@pytest.fixture
def pair(seated, db) -> Pair:
    return seated[1]
