"""What every race may lean on: the crossings that the database refused, which services repeat unseen."""

from __future__ import annotations

import threading

import pytest

from tasks import transactions

DEADLOCK = "40P01"


@pytest.fixture
def crossings(monkeypatch):
    """The codes of all refusals that a service was run a second time for, by any thread."""
    found, lock, code_of = [], threading.Lock(), transactions._code

    def noted(error):
        with lock:
            found.append(code_of(error))
        return code_of(error)

    monkeypatch.setattr(transactions, "_code", noted)
    return found
