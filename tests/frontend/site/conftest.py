"""An admin of the site, signed in."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories.people import UserFactory


@pytest.fixture
def grace(db):
    return UserFactory(username="grace", is_staff=True)


@pytest.fixture
def admin(grace):
    return signed_in(grace)


def signed_in(user):
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(user)
    return browser
