"""A project of the toy protocol, its lobby, and the toy with an activity to be done alone."""

from __future__ import annotations

import pytest

from annotation.models import Project
from tests.protocols.toy.building import toy_project
from tests.tasks.pairs import visiting
from tests.tasks.pairs.visiting import Lobby


@pytest.fixture(scope="module")
def toys_once(shared_rows) -> int:
    return toy_project().pk


@pytest.fixture
def toys(toys_once, db) -> Project:
    """A project with eight topics, made once for all tests of a module."""
    return Project.objects.get(pk=toys_once)


@pytest.fixture
def lobby(toys):
    """Its lobby."""
    return Lobby(toys)


@pytest.fixture(scope="module")
def with_alone_once(shared_rows) -> int:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return visiting.with_alone(monkeypatch).project.pk


@pytest.fixture
def with_alone(with_alone_once, db, monkeypatch) -> Lobby:
    """The lobby of a project in which one may play both parts, on training topics only."""
    visiting.may_play_both_parts(monkeypatch)
    return Lobby(Project.objects.get(pk=with_alone_once))
