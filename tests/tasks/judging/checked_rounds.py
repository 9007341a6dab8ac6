"""Rounds whose raters are asked for checks beside the mark: one that is yes or no, and one that counts."""

from __future__ import annotations

import pytest

from annotation.judging import rounds
from annotation.judging.rubrics import Check
from annotation.models import JudgingRound, User
from tasks.judging import raters
from tests.people import NOON
from tests.tasks.judging.judged_rounds import draft

CHECKS = (Check(key="named", title="It names the keeper"), Check(key="dates", title="Dates", counted=True))


def sealed_with_checks(lights, lead: User, people, **rules) -> JudgingRound:
    """A sealed round over long answers with these checks."""
    made = draft(lights, lead, **rules)
    rubric = rounds.rubric_of(made).model_copy(update={"checks": CHECKS})
    rounds.change(made, by=lead, now=NOON, rubric=rubric)
    for person in people:
        raters.name(made, person, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    made.refresh_from_db()
    return made


@pytest.fixture
def checked(lights, lead, experts) -> JudgingRound:
    """With two experts."""
    return sealed_with_checks(lights, lead, experts)
