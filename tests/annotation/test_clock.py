"""A request asks the database for the time once, and time goes on during it."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation import clock

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def answering(db):
    """Let this thread answer a request, without the signals that would close the test's connection."""
    clock._begin()
    yield
    clock._end()


def asked(captured: CaptureQueriesContext) -> int:
    return sum("clock_timestamp" in query["sql"] for query in captured.captured_queries)


def test_a_request_asks_the_database_once(answering):
    with CaptureQueriesContext(connection) as captured:
        assert clock.now() <= clock.now()
    assert asked(captured) == (connection.vendor == "postgresql")


def test_asking_again_in_a_request_adds_the_time_elapsed(answering, monkeypatch):
    first, then = clock.now(), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: then + 90)
    assert clock.now() - first >= timedelta(seconds=90 if connection.vendor == "postgresql" else 0)


def test_outside_of_requests_it_is_asked_each_time(db):
    with CaptureQueriesContext(connection) as captured:
        assert clock.now() <= clock.now()
    assert asked(captured) == 2 * (connection.vendor == "postgresql")
