"""Projects with published annotations whose figures are known."""

from __future__ import annotations

from functools import partial

import pytest

from annotation import clock
from annotation.models import Role
from tasks.measuring import human_bound
from tests.builders import load, project
from tests.people import join

SCORED = {"nq": "nq/gold.jsonl.gz", "coqa": "coqa/gold.json", "qasper": "qasper/gold.json"}


@pytest.fixture
def scored(db, shared):
    """Return a function that makes such a project."""
    return partial(scored_project, shared)


def scored_project(shared, key, split="dev"):
    """A project of a protocol with the scored cases, its human upper bound measured, and its lead."""
    found = project(f"scored-{key}", key)
    load(found, shared / "scored" / SCORED[key], published=True, split=split)
    human_bound.keep(found, now=clock.now())
    return found, join(found, f"lead-of-{key}", Role.LEAD)
