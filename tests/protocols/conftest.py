"""Fixtures for the tests that run for every protocol: its example, sheets that leak on purpose, chance that repeats."""

from __future__ import annotations

import dataclasses
import logging
import string
import uuid
from random import Random
from types import SimpleNamespace

import pytest
import time_machine
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection

from annotation import clock, randomness, registry
from frontend.api.callers import TokenThrottle
from tests.people import NOON
from tests.protocols.examples import Example


@pytest.fixture
def quiet():
    """Silence the log: these tests make thousands of requests that are refused."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(autouse=True)
def _calls_are_not_limited(monkeypatch: pytest.MonkeyPatch):
    """These tests make thousands with the tokens of the same people; what is refused for that would hide a leak."""
    monkeypatch.setitem(TokenThrottle.THROTTLE_RATES, "token", None)


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


@pytest.fixture
def same_chance(monkeypatch):
    """Return a function that seeds everything random, and lets new rows have the same keys again.

    A PostgreSQL sequence goes on counting after a rollback.
    """

    def begin(seed: int) -> None:
        rng = Random(seed)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
                cursor.execute(statement)

        def text(length: int, allowed_chars: str = string.ascii_letters) -> str:
            return "".join(rng.choices(allowed_chars, k=length))

        uuids = SimpleNamespace(uuid4=lambda: uuid.UUID(int=rng.getrandbits(128), version=4))
        secret = SimpleNamespace(choice=rng.choice, token_urlsafe=text, token_hex=text)
        monkeypatch.setattr(randomness, "uuid", uuids)
        monkeypatch.setattr(randomness, "secrets", secret)
        monkeypatch.setattr("django.middleware.csrf.get_random_string", text)
        monkeypatch.setattr("django.contrib.sessions.backends.base.get_random_string", text)
        monkeypatch.setattr(clock, "now", lambda: NOON)

    with time_machine.travel(NOON, tick=False):
        yield begin
