"""An answer that arrives as its lease expires counts once and is never lost, whoever asks for its slot."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from annotation.models import Response
from tasks.engine import leases
from tasks.models import Assignment
from tasks.models.states import HOLDS_SLOT, AssignmentState, TaskState
from tests.builders import BAD, GOOD, Worker, reload
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import one_claim, study, together

pytestmark = pytest.mark.django_db(transaction=True)
LATE = NOON + timedelta(hours=1)


@pytest.fixture
def rounds(tmp_path):
    """Per round: alice holds the only slot of a project, and her lease has expired."""

    def each():
        for number in range(size(4, 1000)):
            lights = study(tmp_path, items=1, slots=1, slug=f"study-{number}")
            alice, bob = Worker(join(lights, "alice"), lights), join(lights, "bob")
            yield alice, bob, alice.claim()

    return each


def test_her_answer_is_submitted_or_adopted_and_the_slot_has_one_holder(rounds):
    for alice, bob, mine in rounds():
        together(
            [
                partial(alice.commit, mine, "question", BAD, now=LATE),
                partial(leases.expire_overdue, now=LATE),
                partial(one_claim, alice.project, bob, now=LATE),
            ]
        )
        now = reload(mine)
        assert now.state == AssignmentState.SUBMITTED
        assert now.task.state == TaskState.DONE
        assert (now.annotation.completed_at, now.annotation.excluded_at) == (LATE, None)
        assert Response.objects.filter(annotation=now.annotation).count() == 1
        assert Assignment.objects.filter(task=now.task, state__in=HOLDS_SLOT).count() == 1
        assert not bob.leases.filter(closed_at__isnull=True).exists()


def test_a_stage_that_is_not_the_last_is_kept_and_she_continues(rounds):
    for alice, _bob, mine in rounds():
        together([partial(alice.commit, mine, "question", GOOD, now=LATE), partial(leases.expire_overdue, now=LATE)])
        assert reload(mine).state == AssignmentState.LEASED
        assert reload(mine).lease.expires_at > LATE
        assert Response.objects.filter(annotation=mine.annotation).count() == 1
        alice.commit(mine, "long_answer", {"kind": "none", "reason": "page"}, now=LATE)
