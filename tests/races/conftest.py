"""Fixtures of all races: the conflicts that made the database refuse a transaction, which @service retries silently."""

from __future__ import annotations

import threading

import pytest

from tasks.engine import transactions
from tests.races.rigs import crowd

DEADLOCK = "40P01"


@pytest.fixture
def crossings(monkeypatch):
    """The error codes for which a service was retried, in any thread."""
    found, lock, code_of = [], threading.Lock(), transactions._code

    def noted(error):
        with lock:
            found.append(code_of(error))
        return code_of(error)

    monkeypatch.setattr(transactions, "_code", noted)
    return found


@pytest.fixture(autouse=True)
def _threads_are_kept_unless_a_test_patches(request):
    yield from crowd.ends_threads(request.function)
