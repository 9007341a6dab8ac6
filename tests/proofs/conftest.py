"""What proofs lean on: children that are forked on the test's database and data folder."""

from __future__ import annotations

import pytest

from tests.forking import Forge
from tests.proofs.rigs import children


@pytest.fixture
def forge(transactional_db):
    """What forks children on the test's database and data folder."""
    with Forge(children.environment()) as made:
        yield made
