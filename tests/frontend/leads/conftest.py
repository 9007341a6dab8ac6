"""Projects with published annotations whose figures are known."""

from __future__ import annotations

import pytest

from annotation import clock
from annotation.models import Role
from tasks.measuring import human_bound
from tests.builders import load, project
from tests.people import join

SCORED = {"nq": "nq/gold.jsonl.gz", "coqa": "coqa/gold.json", "qasper": "qasper/gold.json"}


@pytest.fixture
def scored(db, shared):
    """A project of a protocol with the scored cases, its human upper bound measured, and its lead."""

    def made(key, split="dev"):
        found = project(f"scored-{key}", key)
        load(found, shared / "scored" / SCORED[key], published=True, split=split)
        human_bound.keep(found, now=clock.now())
        return found, join(found, f"lead-of-{key}", Role.LEAD)

    return made
