"""Nobody is put out of a course because work ends: their attempt goes on, and the grant follows."""

from __future__ import annotations

import pytest

from qualification import granting
from qualification.courses import sitting
from qualification.models import AttemptState, Grant, Outcome
from tasks.models import Task
from tasks.models.states import TaskState
from tasks.setup import opening
from tests.builders import open_with, questions
from tests.people import NOON
from tests.qualification.courses.building import RIGHT, prepare


@pytest.fixture
def attempt(nq, tmp_path, published, reading, alice):
    open_with(nq, tmp_path, questions(2))
    granting.require(reading, ["annotate"], by=None, now=NOON)
    prepare(alice, reading)
    return sitting.issue(alice, reading, now=NOON)


@pytest.mark.parametrize("how", ["paused", "closed", "all is done", "nothing needs it any more"])
def test_an_exam_that_is_going_on_ends_as_it_would_have(nq, attempt, reading, lena, how):
    sitting.answer(attempt, 0, RIGHT, now=NOON)
    if how == "all is done":
        Task.objects.filter(item__project=nq).update(state=TaskState.DONE)
    elif how == "nothing needs it any more":
        granting.require(reading, [], by=lena, now=NOON)
    else:
        act = opening.pause if how == "paused" else opening.close
        act(nq, "annotate", by=lena, now=NOON)
    attempt.refresh_from_db()
    assert (attempt.state, attempt.voided_at) == (AttemptState.OPEN, None)
    for place in range(1, len(attempt.form)):
        attempt = sitting.answer(attempt, place, RIGHT, now=NOON)
    assert attempt.outcome == Outcome.ADMITTED
    assert Grant.objects.get().user == attempt.user
