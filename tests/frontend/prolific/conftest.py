"""Fixtures of the tests of Prolific: the connected project is made once for the tests of a module."""

from __future__ import annotations

import pytest
from django.test import override_settings

from annotation.models import Project, User
from tasks.models import Study
from tests.prolific.site import ProlificServer, Site
from tests.prolific.story import OnProlific, connected, told_of


@pytest.fixture(scope="module")
def _connected(shared_rows, tmp_path_factory):
    with ProlificServer() as server, override_settings(**told_of(server)):
        yield connected(server, tmp_path_factory.mktemp("lights"))


@pytest.fixture
def prolific(_connected, settings):
    """The server, with nothing on it but the study; the site is told to use it."""
    for name, value in told_of(_connected.server).items():
        setattr(settings, name, value)
    _connected.server.site = Site()
    return _connected.server


@pytest.fixture
def lights(_connected, prolific, db):
    """The project, connected to the study."""
    rows = (Project, _connected.project), (User, _connected.lead), (Study, _connected.study)
    return OnProlific(*(model.objects.get(pk=row.pk) for model, row in rows), prolific.site, prolific)
