"""A project of papers with somebody who asks about them and somebody who answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.protocols.qasper import demo
from tasks import queues
from tests.builders import Worker, load, project
from tests.people import NOON, join


@pytest.fixture
def papers(db):
    found = project("papers", "qasper")
    load(found, Path(demo.PAPERS), split="train")
    for activity in ("ask", "answer"):
        queues.open_queue(found, activity, by=None, now=NOON)
    return found


@pytest.fixture
def wendy(papers):
    return Worker(join(papers, "wendy"), papers, "ask")


@pytest.fixture
def adam(papers):
    return Worker(join(papers, "adam"), papers, "answer")
