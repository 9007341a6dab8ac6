"""Committing stages: once, in order, never over what somebody else has done."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.drafts import Tab
from annotation.errors import AlreadyClosed, KeyReused, NotFound, PayloadInvalid, PlaceTaken, StageLocked, StalePage
from annotation.models import Draft, Event, Response
from tasks import assignments, drafts, leases, skip_and_return
from tasks.states import AssignmentState, TaskState
from tests.builders import BAD, GOOD, NO_ANSWER, PAGE_LOAD, Worker, open_with, project, questions, reload
from tests.people import NOON, join


@pytest.fixture
def worker(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(2))
    return Worker(alice, nq)


def box(worker, assignment, index=0):
    sheet = assignments.work_of(reload(assignment)).sheet("long_answer")
    found = next(box for box in sheet.boxes if box.index == index)
    return {"kind": "box", "candidate": index, "quote": found.excerpt[:200]}


def test_a_bad_question_finishes_the_work(worker):
    done = worker.finish_bad()
    assert done.state == AssignmentState.SUBMITTED
    assert done.task.state == TaskState.DONE
    assert done.annotation.completed_at == NOON
    assert done.lease.closed_at == NOON


def test_a_good_question_leads_to_the_page_and_no_answer_finishes(worker):
    mine = worker.claim()
    assert worker.commit(mine, "question", GOOD).next_step == "long_answer"
    assert worker.commit(mine, "long_answer", NO_ANSWER).next_step is None
    assert [r.stage for r in Response.objects.order_by("pk")] == ["question", "long_answer"]


def test_the_next_work_is_another_item(worker):
    assert worker.finish_bad().task != worker.claim().task


def test_a_repeated_post_returns_the_first_result_and_stores_nothing(worker):
    mine, key = worker.claim(), randomness.handle()
    first = worker.commit(mine, "question", GOOD, key=key, seen=0)
    again = worker.commit(mine, "question", GOOD, key=key, seen=0)
    assert (again.next_step, again.replayed) == (first.next_step, True)
    assert Response.objects.count() == 1
    event = Event.objects.get(kind="assignment.replayed", subject=f"assignment:{mine.uuid}")
    assert (event.by, event.data) == (worker.user.pk, {"stage": "question"})


def test_a_repetition_of_the_last_post_is_recognised_after_the_work_is_closed(worker):
    mine, key = worker.claim(), randomness.handle()
    worker.commit(mine, "question", BAD, key=key, seen=0)
    assert worker.commit(mine, "question", BAD, key=key, seen=0).replayed


def test_an_answer_is_the_same_in_whichever_order_its_fields_come(worker):
    mine, key = worker.claim(), randomness.handle()
    worker.commit(mine, "question", BAD, key=key, seen=0)
    assert worker.commit(mine, "question", dict(reversed(BAD.items())), key=key, seen=0).replayed


def test_the_same_key_with_another_answer_is_refused(worker):
    mine, key = worker.claim(), randomness.handle()
    worker.commit(mine, "question", GOOD, key=key, seen=0)
    with pytest.raises(KeyReused):
        worker.commit(mine, "question", BAD, key=key, seen=0)


def test_a_key_of_other_work_is_refused_though_step_and_answer_are_the_same(worker):
    key = randomness.handle()
    worker.commit(worker.claim(), "question", BAD, key=key, seen=0)
    other = worker.claim()
    with pytest.raises(KeyReused):
        worker.commit(other, "question", BAD, key=key, seen=0)
    assert not other.annotation.responses.exists()


def test_keys_are_per_person_and_reveal_nothing_of_others(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(2))
    hers, his = Worker(alice, nq), Worker(bob, nq)
    key = randomness.handle()
    hers.commit(hers.claim(), "question", BAD, key=key, seen=0)
    mine = his.claim()
    first = his.commit(mine, "question", GOOD, key=key, seen=0)
    assert (first.next_step, first.replayed) == ("long_answer", False)
    assert his.commit(mine, "question", GOOD, key=key, seen=0).replayed
    found = Response.objects.filter(submission_key=key).values_list("author__username", "payload__verdict")
    assert sorted(found) == [("alice", "bad"), ("bob", "good")]


@pytest.mark.parametrize("after", [timedelta(hours=1), timedelta(days=400)])
def test_a_key_repeated_after_the_lease_expired_is_recognised_and_takes_nothing_up(worker, after):
    mine, key = worker.claim(), randomness.handle()
    worker.commit(mine, "question", GOOD, key=key, seen=0)
    leases.expire_overdue(now=NOON + after)
    again = worker.commit(mine, "question", GOOD, key=key, seen=0, now=NOON + after)
    assert (again.next_step, again.replayed) == ("long_answer", True)
    with pytest.raises(KeyReused):
        worker.commit(mine, "question", BAD, key=key, seen=0, now=NOON + after)
    assert reload(mine).state == AssignmentState.EXPIRED
    assert Response.objects.count() == 1


def test_the_page_of_returned_work_writes_nothing_though_its_author_holds_the_item_again(worker):
    mine = worker.claim()
    skip_and_return.give_back(mine, by=worker.user, now=NOON)
    again = worker.claim()
    assert (again.task, again.annotation) == (mine.task, mine.annotation)
    with pytest.raises(AlreadyClosed):
        worker.commit(mine, "question", GOOD)
    assert not Response.objects.exists()


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


def test_a_sealed_stage_cannot_be_answered_again(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    for known in (0, 1):
        with pytest.raises(StageLocked):
            worker.commit(mine, "question", BAD, seen=known)


def test_a_later_stage_does_not_exist_yet(worker):
    with pytest.raises(NotFound):
        worker.commit(worker.claim(), "long_answer", NO_ANSWER)


def test_a_stale_page_changes_nothing(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    worker.commit(mine, "long_answer", box(worker, mine))
    with pytest.raises(StalePage):
        worker.commit(mine, "long_answer", NO_ANSWER, seen=1)
    assert Response.objects.filter(stage="long_answer").count() == 1


def test_choosing_another_box_appends_a_revision_and_voids_what_came_after(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    worker.commit(mine, "long_answer", box(worker, mine, 0))
    assert worker.commit(mine, "long_answer", box(worker, mine, 1)).next_step == "short_answer"
    work = assignments.work_of(reload(mine))
    assert [said.payload.candidate for said in work.said if said.stage == "long_answer"] == [1]
    revisions = Response.objects.filter(stage="long_answer").order_by("pk").values_list("revision", flat=True)
    assert list(revisions) == [1, 2]


def test_an_impossible_answer_is_refused_and_nothing_is_stored(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    with pytest.raises(PayloadInvalid):
        worker.commit(mine, "long_answer", {"kind": "box", "candidate": 999, "quote": "x"})
    assert Response.objects.count() == 1


def test_a_draft_is_deleted_once_its_stage_is_committed(worker):
    from annotation.drafts import save_draft

    mine = worker.claim()
    work = assignments.work_of(reload(mine))
    client = randomness.handle()
    save_draft(work, author=worker.user, step="question", client=client, seq=2, data={"verdict": "bad"}, now=NOON)
    save_draft(work, author=worker.user, step="question", client=client, seq=1, data={"verdict": "old"}, now=NOON)
    assert Draft.objects.get().data == {"verdict": "bad"}
    worker.commit(mine, "question", GOOD)
    assert not Draft.objects.exists()


def test_seconds_are_counted_from_the_claim_and_then_from_the_last_commit(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD, now=NOON + timedelta(seconds=12))
    worker.commit(mine, "long_answer", NO_ANSWER, now=NOON + timedelta(seconds=92))
    assert list(Response.objects.order_by("pk").values_list("seconds", flat=True)) == [12.0, 80.0]


def test_each_answer_and_each_claim_gives_the_whole_time_of_a_lease_again(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD, now=NOON + timedelta(minutes=12))
    assert reload(mine).lease.expires_at == NOON + timedelta(minutes=32)
    again = worker.claim(now=NOON + timedelta(minutes=15))
    assert again.lease.expires_at == reload(mine).lease.expires_at == NOON + timedelta(minutes=35)
    assert reload(mine).lease.opened_at == NOON


def test_a_lease_that_was_closed_is_not_renewed(worker):
    done = worker.finish_bad()
    assert leases.renew(done.lease, now=NOON + timedelta(minutes=1)) is None
    assert reload(done).lease.expires_at == NOON + timedelta(minutes=20)


def test_no_answer_takes_longer_than_a_lease_lasts(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD, now=NOON + timedelta(minutes=20, seconds=1))
    worker.commit(mine, "long_answer", NO_ANSWER, now=NOON + timedelta(minutes=40))
    assert list(Response.objects.order_by("pk").values_list("seconds", flat=True)) == [1200.0, 1199.0]


def test_a_skip_can_be_undone_within_ten_seconds_and_not_later(worker):
    mine = worker.claim()
    skip_and_return.skip(mine, by=worker.user, reason="hard", text="", now=NOON)
    skip_and_return.undo_skip(reload(mine), by=worker.user, now=NOON + timedelta(seconds=9))
    assert reload(mine).state == AssignmentState.LEASED
    skip_and_return.skip(reload(mine), by=worker.user, reason="hard", text="", now=NOON + timedelta(seconds=20))
    with pytest.raises(AlreadyClosed):
        skip_and_return.undo_skip(reload(mine), by=worker.user, now=NOON + timedelta(seconds=31))


def test_undoing_a_skip_returns_the_work_that_it_brought(worker):
    skipped = worker.claim()
    skip_and_return.skip(skipped, by=worker.user, reason="hard", text="", now=NOON)
    brought = worker.claim()
    skip_and_return.undo_skip(reload(skipped), by=worker.user, now=NOON + timedelta(seconds=5))
    assert reload(skipped).state == AssignmentState.LEASED
    assert reload(brought).state == AssignmentState.RETURNED


def test_a_skip_stays_once_the_next_work_was_begun(worker):
    skipped = worker.claim()
    skip_and_return.skip(skipped, by=worker.user, reason="hard", text="", now=NOON)
    worker.commit(worker.claim(), "question", GOOD)
    with pytest.raises(AlreadyClosed):
        skip_and_return.undo_skip(reload(skipped), by=worker.user, now=NOON + timedelta(seconds=5))


LATE = NOON + timedelta(hours=1)


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
    drafts.save(skipped, "question", GOOD, by=bob.user, tab=Tab(PAGE_LOAD), seen=0, seq=1, now=NOON)
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
    drafts.save(his, "question", GOOD, by=bob, tab=Tab(PAGE_LOAD), seen=0, seq=1, now=LATE)
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
