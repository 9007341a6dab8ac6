"""A disputed item, and the people who may decide about it."""

from __future__ import annotations

import pytest

from annotation.models import Role
from tests.disagreeing import BAD, answered, box, lights
from tests.frontend.experts.deciding import expert
from tests.people import join


@pytest.fixture
def nq(db, tmp_path):
    return lights(tmp_path)


@pytest.fixture
def item(nq):
    return answered(nq, box(1), box(2), BAD)


@pytest.fixture
def erin(nq):
    return expert(nq, "erin")


@pytest.fixture
def lena(nq):
    return join(nq, "lena", Role.LEAD)
