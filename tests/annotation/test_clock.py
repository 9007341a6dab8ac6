"""A request asks the database once what time it is, and time goes on in it."""

from __future__ import annotations

import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation import clock


@pytest.fixture
def answering(db):
    """This thread answers a request."""
    clock._begin()
    yield
    clock._end()


def asked(captured: CaptureQueriesContext) -> int:
    return sum("clock_timestamp" in query["sql"] for query in captured.captured_queries)


def test_a_request_asks_the_database_once_and_time_goes_on(answering):
    with CaptureQueriesContext(connection) as captured:
        first = clock.now()
        time.sleep(0.02)
        second = clock.now()
    assert (second - first).total_seconds() >= 0.02
    assert asked(captured) == (1 if connection.vendor == "postgresql" else 0)


def test_outside_of_requests_it_is_asked_each_time(db):
    with CaptureQueriesContext(connection) as captured:
        assert clock.now() <= clock.now()
    assert asked(captured) == (2 if connection.vendor == "postgresql" else 0)
