"""A server of sockets, and two people at shared work."""

from __future__ import annotations

import pytest
from django.core.cache import caches

from annotation import clock
from tests.frontend.sockets.socket_rig import SocketServer
from tests.protocols.toy.building import Pair, toy_project


@pytest.fixture
def server(transactional_db):
    made = SocketServer()
    yield made
    made.stop()
    caches["default"].clear()


@pytest.fixture
def project(transactional_db):
    return toy_project()


@pytest.fixture
def pair(project):
    return Pair.seated(project, now=clock.now())


@pytest.fixture
def place(pair):
    """The address of the asker's socket."""
    return f"/ws/work/{pair.row('asker').uuid}/"
