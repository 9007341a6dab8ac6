"""Committing stages: once, in order, never over what somebody else has done."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.engine.drafts import PageLoad
from annotation.errors import AlreadyClosed, KeyReused, NotFound, PayloadInvalid, StageLocked, StalePage, TakenOver
from annotation.models import Draft, Event, Project, Response
from tasks.engine import assignments, leases, skip_and_return, tabs
from tasks.models.states import AssignmentState, TaskState
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, open_with, project, questions, reload
from tests.people import NOON

pytestmark = pytest.mark.on_both_databases


@pytest.fixture(scope="module")
def nq_once(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2))
    return made.pk


@pytest.fixture
def nq(nq_once, db) -> Project:
    """Two questions, made once for all tests of the module."""
    return Project.objects.get(pk=nq_once)


@pytest.fixture
def worker(nq, alice):
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


def test_what_else_a_form_held_is_kept_only_while_a_partner_decides_how_it_goes_on(worker):
    worker.commit(worker.claim(), "question", GOOD, left={"verdict": "bad"})
    assert not Draft.objects.exists()


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


def test_keys_are_per_person_and_reveal_nothing_of_others(nq, alice, bob):
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


def test_once_a_newer_page_load_has_the_work_an_older_one_writes_nothing(worker):
    mine, older, newer = worker.claim(), PageLoad(randomness.handle()), PageLoad(randomness.handle())
    for tab in (older, newer):
        tabs.take_over(reload(mine), client=tab.client, by=worker.user, now=NOON)
    with pytest.raises(TakenOver):
        worker.commit(mine, "question", GOOD, tab=older)
    assert Response.objects.count() == 0
    assert worker.commit(mine, "question", GOOD, tab=newer).next_step == "long_answer"


def test_choosing_another_box_appends_a_revision_and_voids_what_came_after(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    worker.commit(mine, "long_answer", box(worker, mine, 0))
    assert worker.commit(mine, "long_answer", box(worker, mine, 1)).next_step == "short_answer"
    work = assignments.work_of(reload(mine))
    assert [said.payload.candidate for said in work.answers if said.stage == "long_answer"] == [1]
    revisions = Response.objects.filter(stage="long_answer").order_by("pk").values_list("revision", flat=True)
    assert list(revisions) == [1, 2]


def test_an_impossible_answer_is_refused_and_nothing_is_stored(worker):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    with pytest.raises(PayloadInvalid):
        worker.commit(mine, "long_answer", {"kind": "box", "candidate": 999, "quote": "x"})
    assert Response.objects.count() == 1


def test_a_draft_is_deleted_once_its_stage_is_committed(worker):
    from annotation.engine.drafts import save_draft

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


@pytest.mark.parametrize(
    ("first", "counted"),
    [(1199, [1199, 1200]), (1200, [1200, 1200]), (1201, [1200, 1199])],
    ids=["under", "at", "over"],
)
def test_no_answer_takes_longer_than_a_lease_lasts(worker, first, counted):
    mine = worker.claim()
    worker.commit(mine, "question", GOOD, now=NOON + timedelta(seconds=first))
    worker.commit(mine, "long_answer", NO_ANSWER, now=NOON + timedelta(minutes=40))
    assert list(Response.objects.order_by("pk").values_list("seconds", flat=True)) == counted


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
