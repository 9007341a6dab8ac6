"""Fixtures of the proofs: a fork server on the test's database and data folder."""

from __future__ import annotations

import pytest

from tests.forking import ForkServer
from tests.proofs.rigs import children
from tests.races.rigs import crowd


@pytest.fixture
def fork_server(transactional_db):
    """A fork server for children on the test's database and data folder."""
    with ForkServer(children.environment()) as made:
        yield made


@pytest.fixture(autouse=True)
def _threads_are_kept_unless_a_test_patches(request):
    yield from crowd.ends_threads(request.function)
