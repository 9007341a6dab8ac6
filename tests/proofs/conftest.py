"""Fixtures of the proofs: a fork server whose children are on the test's database and data folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.forking import ForkServer
from tests.proofs.rigs import children
from tests.races.rigs import crowd


@pytest.fixture
def fork_server(transactional_db: None, fork_server_of_all: ForkServer) -> Iterator[ForkServer]:
    """A fork server for children on the test's database and data folder; what is left of them is killed."""
    fork_server_of_all.of_children = children.environment()
    yield fork_server_of_all
    fork_server_of_all.kill_children()


@pytest.fixture(autouse=True)
def _threads_are_kept_unless_a_test_patches(request):
    yield from crowd.ends_threads(request.function)
