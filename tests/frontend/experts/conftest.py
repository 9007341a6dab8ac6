"""A disputed item, and the people who may decide about it."""

from __future__ import annotations

import pytest

from annotation.models import Item, Project, Role, User
from tests.disagreeing import BAD, answered, box, lights
from tests.frontend.experts.deciding import expert
from tests.people import join


@pytest.fixture(scope="module")
def disputed_once(shared_rows, tmp_path_factory):
    """The first of two questions is disputed; erin, an expert, has begun to see answers, and lena leads."""
    made = lights(tmp_path_factory.mktemp("lights"))
    item = answered(made, box(1), box(2), BAD)
    expert(made, "erin")
    join(made, "lena", Role.LEAD)
    return item.pk


@pytest.fixture
def nq(disputed_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def item(disputed_once, db):
    return Item.objects.select_related("project").get(pk=disputed_once)


@pytest.fixture
def erin(disputed_once, db):
    return User.objects.get(username="erin")


@pytest.fixture
def lena(disputed_once, db):
    return User.objects.get(username="lena")
