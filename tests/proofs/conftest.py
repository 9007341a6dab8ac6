"""Fixtures of the proofs: a fork server whose children are on the test's database and data folder."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.forking import ForkServer
from tests.proofs.rigs import children
from tests.races.rigs import crowd


@pytest.fixture(scope="session")
def fork_server_of_all() -> Iterator[ForkServer]:
    """One for all proofs, since it imports everything; its children are told their databases and folders."""
    with ForkServer(os.environ | {"DJANGO_SETTINGS_MODULE": "frontend.settings", "PYTHONUNBUFFERED": "1"}) as made:
        yield made


@pytest.fixture
def fork_server(transactional_db: None, fork_server_of_all: ForkServer) -> Iterator[ForkServer]:
    """A fork server for children on the test's database and data folder; what is left of them is killed."""
    fork_server_of_all.of_children = children.environment()
    yield fork_server_of_all
    fork_server_of_all.kill_children()


@pytest.fixture(autouse=True)
def _threads_are_kept_unless_a_test_patches(request):
    yield from crowd.ends_threads(request.function)
