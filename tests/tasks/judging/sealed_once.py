"""The project, people and sealed round of judged_rounds.py, made once for all tests of a module.

What a test adds is rolled back. Not for tests with real commits.
"""

from __future__ import annotations

import pytest

from annotation.judging import rounds
from annotation.models import JudgingRound, Project, Role, User
from tasks.judging import raters
from tests.people import NOON, join
from tests.tasks.judging.judged_once import answered_once, lights, people
from tests.tasks.judging.judged_rounds import draft

__all__ = ["answered_once", "lights"]
EXPERTS = ("erin", "egon")


@pytest.fixture(scope="module")
def staffed_once(answered_once) -> int:
    made = Project.objects.get(pk=answered_once)
    join(made, "lena", Role.LEAD)
    for name in EXPERTS:
        join(made, name, Role.EXPERT)
    return made.pk


@pytest.fixture
def lead(staffed_once, db) -> User:
    return people("lena")[0]


@pytest.fixture
def experts(staffed_once, db) -> list[User]:
    return people(*EXPERTS)


@pytest.fixture(scope="module")
def sealed_once(staffed_once) -> int:
    """For modules in which no test needs a project without a round."""
    [lead] = people("lena")
    made = draft(Project.objects.get(pk=staffed_once), lead)
    for expert in people(*EXPERTS):
        raters.name(made, expert, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    return made.pk


@pytest.fixture
def sealed(sealed_once, db) -> JudgingRound:
    """A sealed round over all long answers, with two experts."""
    return JudgingRound.objects.get(pk=sealed_once)
