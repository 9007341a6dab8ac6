"""What the server writes to standard error when a request fails."""

from __future__ import annotations

import io
import logging

import pytest
from django.db import OperationalError
from django.test import Client


@pytest.fixture
def written(monkeypatch):
    """What the handler of the settings writes, in place of standard error."""
    [handler] = logging.getLogger("django.request").handlers
    stream = io.StringIO()
    monkeypatch.setattr(handler, "stream", stream)
    return stream.getvalue


@pytest.fixture
def fails(monkeypatch):
    """Have the sign-in page raise that exception."""

    def failing(error):
        def show(*args, **kwargs):
            raise error

        monkeypatch.setattr("allauth.account.forms.LoginForm.__init__", show)
        return Client(raise_request_exception=False).get("/login/")

    return failing


def test_an_exception_that_no_view_caught_is_written_with_its_traceback(db, fails, written):
    assert fails(OverflowError("too large")).status_code == 500
    assert "Internal Server Error: /login/" in written()
    assert "OverflowError: too large" in written()


def test_a_database_that_is_away_writes_no_traceback_for_every_request(db, fails, written):
    assert fails(OperationalError("gone")).status_code == 503
    assert written() == ""
