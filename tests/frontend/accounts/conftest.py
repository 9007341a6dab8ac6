"""Accounts with a known password, and empty counters."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from annotation.models import User
from tests.factories.people import UserFactory

PASSWORD = "a few easy words"


@pytest.fixture(autouse=True)
def _no_tries_yet():
    for cache in ("default", "log_ins"):
        caches[cache].clear()


@pytest.fixture
def anna(db) -> User:
    return UserFactory(username="anna", password=PASSWORD, email="anna@home.example")


@pytest.fixture
def sign_in():
    """Return a function: sign in through the page, in a new browser; returns the browser and the response."""

    def through_the_page(name="anna", password=PASSWORD, **headers):
        browser = Client(SERVER_NAME="127.0.0.1", headers=headers)
        return browser, browser.post(reverse("login"), {"username": name, "password": password})

    return through_the_page
