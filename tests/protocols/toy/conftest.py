"""Fixtures of the toy protocol: its project, and two people seated in it."""

from __future__ import annotations

import pytest

from tests.protocols.toy.building import Pair, toy_project


@pytest.fixture
def toys(db):
    """A project with the topics of the example and both queues open."""
    return toy_project()


@pytest.fixture
def pair(toys):
    """An asker and a teller seated at one topic."""
    return Pair.seated(toys)
