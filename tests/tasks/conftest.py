"""A project of papers with one person who asks about them and one who answers; two people of a project of questions."""

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


@pytest.fixture
def ada(lights):
    """Somebody in the project `lights`, which the module makes; so is `ben`."""
    return Worker(join(lights, "ada"), lights)


@pytest.fixture
def ben(lights):
    return Worker(join(lights, "ben"), lights)
