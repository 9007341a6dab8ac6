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


@pytest.fixture(params=registry.all_protocols(), ids=lambda protocol: protocol.key)
def example(request) -> Example:
    return Example(request.param)


@pytest.fixture
def leaky(monkeypatch, example):
    """A function: put a sheet that shows more than it may into the protocol."""

    def leak(more) -> None:
        told = example.protocol.sheet

        def sheet(context, step):
            right = told(context, step)
            shown = [name for name in ("prompt", "title") if hasattr(right, name)]
            return dataclasses.replace(right, **{name: getattr(right, name) + more(context.item) for name in shown})

        monkeypatch.setattr(example.protocol, "sheet", sheet)

    return leak
