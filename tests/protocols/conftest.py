"""Fixtures for the tests that run for every protocol: its example, and sheets that leak on purpose."""

from __future__ import annotations

import dataclasses
import logging

import pytest

from annotation import registry
from tests.protocols.examples import Example


@pytest.fixture
def quiet():
    """Silence the log: these tests make thousands of requests that are refused."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(params=registry.all_protocols(), ids=lambda protocol: protocol.key)
def example(request) -> Example:
    return Example(request.param)


@pytest.fixture
def leaky(monkeypatch, example):
    """Return a function that makes the protocol's sheet show more than it may."""

    def leak(more) -> None:
        told = example.protocol.sheet

        def sheet(context, step):
            right = told(context, step)
            shown = [name for name in ("prompt", "title") if hasattr(right, name)]
            return dataclasses.replace(right, **{name: getattr(right, name) + more(context.item) for name in shown})

        monkeypatch.setattr(example.protocol, "sheet", sheet)

    return leak
