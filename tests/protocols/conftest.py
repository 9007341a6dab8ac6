"""What the tests of every protocol share: its example, and sheets that leak on purpose."""

from __future__ import annotations

import dataclasses
import logging

import pytest

from annotation import protocol as registry
from tests.protocols.playing import Example


@pytest.fixture
def quiet():
    """Thousands of refused requests are what this is about."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(params=registry.everyone(), ids=lambda protocol: protocol.key)
def example(request) -> Example:
    return Example(request.param)


@pytest.fixture
def leaky(monkeypatch, example):
    """A function: put a sheet that shows more than it may into the protocol."""

    def leak(more) -> None:
        def sheet(stage, item, so_far, seat):
            right = example.protocol.sheet(stage, item, so_far, seat)
            shown = [name for name in ("prompt", "title") if hasattr(right, name)]
            return dataclasses.replace(right, **{name: getattr(right, name) + more(item) for name in shown})

        changed = dataclasses.replace(example.protocol, sheet=sheet)
        monkeypatch.setitem(registry._PROTOCOLS, example.protocol.key, changed)

    return leak
