"""One person in two windows at once holds one piece of work, whatever races."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from annotation import randomness
from annotation.errors import AlreadyClosed, StalePage
from annotation.models import Annotation, Response, Role
from qualification import tries
from qualification.models import Try
from tasks.engine import assignments, leases, skip_and_return
from tasks.models import Assignment, Lease
from tasks.models.states import AssignmentState
from tests.builders import BAD, GOOD, Worker, reload
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import study, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]


@pytest.fixture
def alice(tmp_path):
    lights = study(tmp_path, items=30, slots=3)
    return Worker(join(lights, "alice"), lights)


def leased(worker):
    return Assignment.objects.filter(annotator=worker.user, state=AssignmentState.LEASED)


def test_parallel_claims_of_one_person_give_one_assignment(alice):
    for _ in range(size(5, 200)):
        got = together([alice.claim] * 6)
        assert {assignment.uuid for assignment in got} == {leased(alice).get().uuid}
        alice.commit(got[0], "question", {"verdict": "bad", "reasons": ["opinion"]})


def test_undoing_a_skip_while_claiming_leaves_one_piece_of_work(alice):
    def take_back(assignment):
        try:
            skip_and_return.undo_skip(assignment, by=alice.user, now=NOON)
        except AlreadyClosed:
            return None

    for _ in range(size(5, 300)):
        skipped = alice.claim()
        skip_and_return.skip(skipped, by=alice.user, reason="hard", text="", now=NOON)
        together([partial(take_back, reload(skipped)), alice.claim])
        assert leased(alice).count() == 1
        assert Lease.objects.filter(annotator=alice.user, closed_at__isnull=True).count() == 1
        alice.commit(leased(alice).get(), "question", {"verdict": "bad", "reasons": ["opinion"]})


def test_late_work_taken_up_again_while_claiming_is_kept_and_leaves_one_piece_of_work(alice):
    for turn in range(size(5, 300)):
        now = NOON + turn * timedelta(hours=2)
        overdue = alice.claim(now=now)
        leases.expire_overdue(now=now + timedelta(hours=1))
        later = now + timedelta(hours=1)
        together([partial(alice.commit, overdue, "question", GOOD, now=later), partial(alice.claim, now=later)])
        assert reload(overdue).annotation.responses.count() == 1
        assert leased(alice).count() == 1
        mine = leased(alice).get()
        alice.commit(mine, *finish(mine), now=later)


def finish(assignment):
    """A stage and an answer that completes the work."""
    if assignments.work_of(reload(assignment)).current == "question":
        return "question", {"verdict": "bad", "reasons": ["opinion"]}
    return "long_answer", {"kind": "none", "reason": "page"}


@pytest.fixture
def trying(tmp_path):
    """A question, and how its lead begins to try it."""
    lights = study(tmp_path, items=1, slots=1)
    item = lights.items.select_related("project").get()
    return partial(tries.begin_trial, item, "annotate", by=join(lights, "lena", Role.LEAD), now=NOON)


def test_a_trial_that_is_begun_twenty_times_at_once_is_one_trial(trying):
    assert len({held.uuid for held in together([trying] * 20)}) == 1
    assert Try.objects.count() == Annotation.with_trials.filter(purpose="trial").count() == 1


def finish_trial(uuid, key):
    held = Try.objects.select_related("annotation__item__project", "annotation__author").get(uuid=uuid)
    try:
        return not tries.commit_try(held, "question", BAD, key=key, seen=0, now=NOON).repeated
    except (AlreadyClosed, StalePage):
        return False


def test_of_twenty_last_answers_of_a_trial_sent_at_once_one_counts(trying):
    uuid = trying().uuid
    keys = [randomness.handle() for _ in range(10)] * 2
    assert sum(together(partial(finish_trial, uuid, key) for key in keys)) == 1
    assert Response.objects.filter(annotation__held_try__uuid=uuid).count() == 1
    assert Annotation.with_trials.get(held_try__uuid=uuid).completed_at == NOON
