"""A server that receives, a webhook that calls it, and a clock that stands."""

from __future__ import annotations

from datetime import datetime

import pytest

from annotation import clock
from tests.annotation.outgoing.answering import answering_server
from tests.factories.webhooks import WebhookFactory
from tests.people import NOON
from tests.tasks.judging.judged_rounds import lead, lights

__all__ = ["lead", "lights"]


class StandingClock:
    """The time of the site; `at` is set by tests."""

    at: datetime = NOON


@pytest.fixture
def time(monkeypatch):
    standing = StandingClock()
    monkeypatch.setattr(clock, "now", lambda: standing.at)
    return standing


@pytest.fixture
def server(settings, db):
    settings.GOLDFINCH_CALLS_ITSELF = True
    with answering_server() as found:
        yield found


@pytest.fixture
def hook(nq, lena, server, time):
    return WebhookFactory(project=nq, by=lena, url=server.url())
