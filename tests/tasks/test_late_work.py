"""Work that arrives after its lease: taken up again, taken from a new holder who has saved nothing, or kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.engine.drafts import PageLoad
from annotation.errors import PlaceTaken
from annotation.models import Event, Response
from tasks.engine import leases, skip_and_return, submitting
from tasks.models.states import AssignmentState, TaskState
from tests.builders import BAD, GOOD, NO_ANSWER, PAGE_LOAD, Worker, open_with, project, questions, reload
from tests.people import NOON, join
from tests.tasks.test_submitting import box


@pytest.fixture
def worker(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(2))
    return Worker(alice, nq)


LATE = NOON + timedelta(hours=1)


def test_a_key_first_sent_after_the_lease_expired_takes_effect_once(worker):
    mine, key = worker.claim(), randomness.handle()
    leases.expire_overdue(now=LATE)
    first = worker.commit(mine, "question", BAD, key=key, seen=0, now=LATE)
    again = worker.commit(mine, "question", BAD, key=key, seen=0, now=LATE)
    assert [(said.next_step, said.late, said.replayed) for said in (first, again)] == [
        (None, "", False),
        (None, "", True),
    ]
    assert Response.objects.count() == 1


def test_late_work_takes_its_slot_again_while_it_is_free(worker):
    mine = worker.claim()
    leases.expire_overdue(now=LATE)
    outcome = worker.commit(mine, "question", BAD, now=LATE)
    assert (outcome.late, outcome.adopted, outcome.replayed, outcome.next_step) == ("", True, False, None)
    assert (reload(mine).state, reload(mine).task.state) == (AssignmentState.SUBMITTED, TaskState.DONE)
    assert reload(mine).annotation.completed_at == LATE


def test_a_late_stage_that_is_not_the_last_takes_the_work_up_again(worker):
    mine = worker.claim()
    leases.expire_overdue(now=LATE)
    worker.commit(mine, "question", GOOD, now=LATE)
    assert reload(mine).state == AssignmentState.LEASED
    assert reload(mine).lease.expires_at == LATE + timedelta(minutes=20)
    assert reload(mine).closed_at is None


def test_a_late_stage_is_kept_and_takes_nothing_up_while_the_new_holder_is_at_work(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    hers = Worker(alice, nq).claim()
    his = Worker(bob, nq).claim(now=LATE)
    Worker(bob, nq).commit(his, "question", GOOD, now=LATE)
    assert not Worker(alice, nq).commit(hers, "question", GOOD, now=LATE).work.leased
    assert [reload(row).state for row in (hers, his)] == [AssignmentState.EXPIRED, AssignmentState.LEASED]
    assert hers.annotation.responses.count() == 1


def test_late_work_revokes_a_new_holder_who_has_saved_nothing(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    hers = Worker(alice, nq).claim()
    his = Worker(bob, nq).claim(now=LATE)
    Worker(alice, nq).commit(hers, "question", BAD, now=LATE)
    assert reload(hers).state == AssignmentState.SUBMITTED
    assert reload(his).state == AssignmentState.REVOKED
    with pytest.raises(PlaceTaken):
        Worker(bob, nq).commit(his, "question", BAD, now=LATE)


def test_of_two_new_holders_who_have_saved_nothing_late_work_revokes_the_later_one(tmp_path, db):
    lights = project(activities={"annotate": {"overlap": {"train": 2}, "draw": "in_order"}})
    open_with(lights, tmp_path, questions(2))
    alice, bob, carol, dora = (Worker(join(lights, name), lights) for name in ("alice", "bob", "carol", "dora"))
    hers = alice.claim()
    leases.expire_overdue(now=LATE)
    earlier, later = bob.claim(now=LATE), carol.claim(now=LATE + timedelta(minutes=1))
    elsewhere = dora.claim(now=LATE + timedelta(minutes=2))
    assert hers.task == earlier.task == later.task != elsewhere.task
    alice.commit(hers, "question", BAD, now=LATE + timedelta(minutes=3))
    states = [reload(row).state for row in (hers, earlier, later, elsewhere)]
    leased, revoked = AssignmentState.LEASED, AssignmentState.REVOKED
    assert states == [AssignmentState.SUBMITTED, leased, revoked, leased]


def test_who_has_saved_nothing_of_it_is_revoked_whatever_they_saved_and_sent_before(tmp_path, db):
    lights = project(activities={"annotate": {"draw": "in_order"}})
    open_with(lights, tmp_path, questions(3))
    alice, bob = (Worker(join(lights, name), lights) for name in ("alice", "bob"))
    hers, skipped = alice.claim(), bob.claim()
    submitting.save_draft(skipped, "question", GOOD, by=bob.user, tab=PageLoad(PAGE_LOAD), seen=0, seq=1, now=NOON)
    skip_and_return.skip(skipped, by=bob.user, reason="hard", text="", now=NOON)
    bob.finish_bad()
    his = bob.claim(now=LATE)
    assert his.task == hers.task
    alice.commit(hers, "question", BAD, now=LATE)
    assert reload(his).state == AssignmentState.REVOKED


def test_late_work_is_kept_as_surplus_if_the_new_holder_has_a_draft_and_another_left(nq, alice, bob, carol, tmp_path):
    open_with(nq, tmp_path, questions(1))
    hers = Worker(alice, nq).claim()
    left = Worker(carol, nq).claim(now=LATE)
    skip_and_return.skip(left, by=carol, reason="hard", text="", now=LATE)
    his = Worker(bob, nq).claim(now=LATE)
    submitting.save_draft(his, "question", GOOD, by=bob, tab=PageLoad(PAGE_LOAD), seen=0, seq=1, now=LATE)
    assert Worker(alice, nq).commit(hers, "question", BAD, now=LATE).late == "taken"
    states = [reload(row).state for row in (hers, left, his)]
    assert states == [AssignmentState.LATE, AssignmentState.SKIPPED, AssignmentState.LEASED]


def test_a_late_stage_that_is_not_the_last_revokes_a_new_holder_who_has_saved_nothing(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    hers = Worker(alice, nq).claim()
    his = Worker(bob, nq).claim(now=LATE)
    assert Worker(alice, nq).commit(hers, "question", GOOD, now=LATE).work.leased
    assert [reload(row).state for row in (hers, his)] == [AssignmentState.LEASED, AssignmentState.REVOKED]


def test_a_late_stage_of_somebody_with_other_work_in_hand_revokes_nobody(tmp_path, db):
    lights = project(activities={"annotate": {"draw": "in_order"}})
    open_with(lights, tmp_path, questions(2))
    alice, bob = (Worker(join(lights, name), lights) for name in ("alice", "bob"))
    hers = alice.claim()
    leases.expire_overdue(now=LATE)
    his, other = bob.claim(now=LATE), alice.claim(now=LATE)
    assert his.task == hers.task != other.task
    assert not alice.commit(hers, "question", GOOD, now=LATE).work.leased
    states = [reload(row).state for row in (hers, his, other)]
    assert states == [AssignmentState.EXPIRED, AssignmentState.LEASED, AssignmentState.LEASED]


def test_the_history_says_what_late_work_took_and_from_whom(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    hers = Worker(alice, nq).claim()
    his = Worker(bob, nq).claim(now=LATE)
    Worker(alice, nq).commit(hers, "question", GOOD, now=LATE)
    later = LATE + timedelta(hours=1)
    leases.expire_overdue(now=later)
    Worker(alice, nq).commit(hers, "long_answer", NO_ANSWER, now=later)
    written = Event.objects.filter(subject__in=[f"assignment:{row.uuid}" for row in (hers, his)], at__gte=LATE)
    told = [(row.kind, row.by, row.data) for row in written.exclude(kind="assignment.claimed").order_by("pk")]
    assert told == [
        ("assignment.expired", None, {}),
        ("assignment.revoked", None, {"reason": "adopted", "of": str(hers.uuid)}),
        ("assignment.leased", alice.pk, {"again": True}),
        ("assignment.expired", None, {}),
        ("assignment.submitted", alice.pk, {"adopted": True}),
    ]


@pytest.mark.parametrize("answer", [BAD, GOOD], ids=["finished", "taken up again"])
def test_late_work_takes_another_slot_if_its_own_was_given_away(tmp_path, db, answer):
    lights = project(activities={"annotate": {"overlap": {"train": 2}}})
    open_with(lights, tmp_path, questions(1))
    alice, bob = (Worker(join(lights, name), lights) for name in ("alice", "bob"))
    hers = alice.claim()
    leases.expire_overdue(now=LATE)
    his = bob.claim(now=LATE)
    alice.commit(hers, "question", answer, now=LATE)
    assert (hers.slot, his.slot, reload(hers).slot) == (0, 0, 1)
    assert reload(his).state == AssignmentState.LEASED
    assert reload(hers).task.state == TaskState.FULL


def test_late_work_is_taken_up_again_by_somebody_at_work_in_another_project_and_not_in_this_one(worker, tmp_path):
    mine, ferries = worker.claim(), project("ferries")
    leases.expire_overdue(now=LATE)
    open_with(ferries, tmp_path, questions(1))
    Worker(join(ferries, "alice"), ferries).claim(now=LATE)
    worker.commit(mine, "question", GOOD, now=LATE)
    assert reload(mine).state == AssignmentState.LEASED
    later = LATE + timedelta(hours=1)
    leases.expire_overdue(now=later)
    skip_and_return.skip(worker.claim(now=later), by=worker.user, reason="hard", text="", now=later)
    other = worker.claim(now=later)
    assert other.task != mine.task
    assert not worker.commit(mine, "long_answer", box(worker, mine), now=later).work.leased
    assert [reload(row).state for row in (mine, other)] == [AssignmentState.EXPIRED, AssignmentState.LEASED]


def test_late_work_is_kept_as_surplus_when_the_new_holder_is_at_work(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    hers = Worker(alice, nq).claim()
    his = Worker(bob, nq).claim(now=LATE)
    Worker(bob, nq).commit(his, "question", GOOD, now=LATE)
    outcome = Worker(alice, nq).commit(hers, "question", BAD, now=LATE)
    assert (outcome.late, outcome.adopted, outcome.next_step) == ("taken", False, None)
    assert reload(hers).state == AssignmentState.LATE
    assert (reload(hers).annotation.exclusion_reason, reload(hers).annotation.completed_at) == ("late", LATE)
    assert reload(his).state == AssignmentState.LEASED
