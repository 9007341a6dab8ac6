"""Fixtures of the lobby: a project of the toy protocol, its lobby, and the toy with an activity to be done alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.models import Project
from tasks.engine import queues
from tests.people import NOON
from tests.protocols.toy.building import toy_project
from tests.protocols.toy.protocol import PROTOCOL, REVIEW, TALK
from tests.tasks.pairs.visiting import Lobby


@pytest.fixture
def lobby(db):
    """The lobby of a project with eight topics."""
    return Lobby(toy_project())


@pytest.fixture
def with_alone(db, monkeypatch):
    """The lobby of a project in which one may play both parts, on training topics only."""
    made = toy_project()
    allow_alone(made, monkeypatch)
    return Lobby(made)


def allow_alone(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever finds no partner play both parts in this project."""
    alone = replace(TALK, key="talk_alone", picks="next", seats=("one",), train_only=True)
    monkeypatch.setattr(PROTOCOL, "activities", (replace(TALK, alone="talk_alone"), alone, REVIEW), raising=False)
    queues.open_queue(made, "talk_alone", by=None, now=NOON)
