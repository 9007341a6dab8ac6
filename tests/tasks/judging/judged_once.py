"""Projects and rounds of judged_rounds.py, meetings.py and together_rounds.py, made once for all tests of a module.

What a test adds is rolled back. Not for tests with real commits.
"""

from __future__ import annotations

import pytest

from annotation.models import JudgingRound, Project, Role, User
from tests.people import join
from tests.tasks.judging import together_rounds
from tests.tasks.judging.judged_rounds import answered_by_ada
from tests.tasks.judging.meetings import NAMES, begun

JUDGES = ("erin", "egon", "edda")


def people(*names: str) -> list[User]:
    return [User.objects.get(username=name) for name in names]


@pytest.fixture(scope="module")
def answered_once(shared_rows, tmp_path_factory) -> int:
    return answered_by_ada(tmp_path_factory.mktemp("lights")).pk


@pytest.fixture
def lights(answered_once, db) -> Project:
    return Project.objects.get(pk=answered_once)


@pytest.fixture(scope="module")
def met_once(answered_once) -> int:
    made = Project.objects.get(pk=answered_once)
    lead = join(made, "lena", Role.LEAD)
    return begun(made, lead, [join(made, name, Role.EXPERT) for name in NAMES]).pk


@pytest.fixture
def meeting(met_once, db) -> JudgingRound:
    """The round at its meeting; Erin is in the chair."""
    return JudgingRound.objects.get(pk=met_once)


@pytest.fixture
def lead(met_once, db) -> User:
    return people("lena")[0]


@pytest.fixture
def voting(met_once, db) -> list[User]:
    """Erin, Egon and Emma."""
    return people(*NAMES)


@pytest.fixture(scope="module")
def lamps_once(shared_rows, tmp_path_factory) -> int:
    rows = map(together_rounds.row_of, range(together_rounds.ITEMS))
    made = together_rounds.take_in(tmp_path_factory.mktemp("lamps"), rows)
    join(made, "lena", Role.LEAD)
    for name in JUDGES:
        join(made, name, Role.EXPERT)
    return made.pk


@pytest.fixture
def lamps(lamps_once, db) -> Project:
    """Four questions with three answers each, two questions of each type."""
    return Project.objects.get(pk=lamps_once)


@pytest.fixture
def lena(lamps_once, db) -> User:
    return people("lena")[0]


@pytest.fixture
def judges(lamps_once, db) -> list[User]:
    return people(*JUDGES)
