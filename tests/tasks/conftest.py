"""A project of papers with one person who asks about them and one who answers."""

from __future__ import annotations

import pytest

from tests.builders import Worker, open_papers
from tests.people import join


@pytest.fixture
def papers(db):
    return open_papers()


@pytest.fixture
def wendy(papers):
    return Worker(join(papers, "wendy"), papers, "ask")


@pytest.fixture
def adam(papers):
    return Worker(join(papers, "adam"), papers, "answer")
