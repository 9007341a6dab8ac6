"""The draft of work that was left: for a day the work is offered to its author first, and nobody else ever sees it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.errors import AlreadyClosed
from annotation.models import Draft
from tasks.engine import assignments, leases, skip_and_return, submitting
from tasks.engine.tabs import PageLoad
from tasks.models import Task
from tests.builders import GOOD, NO_ANSWER, Worker, open_with, project, questions, reload
from tests.people import NOON, join
from tests.tasks.test_blocks import asked

A_DAY = timedelta(hours=24)
BAD_SO_FAR = {"verdict": "bad"}


@pytest.fixture
def lights(tmp_path, db):
    """Nine questions that are handed out in one order."""
    made = project(activities={"annotate": {"draw": "in_order"}})
    open_with(made, tmp_path, questions(9))
    return made


@pytest.fixture
def ann(lights):
    return Worker(join(lights, "ann"), lights)


def drafted(worker, assignment, stage="question", data=BAD_SO_FAR, *, seq=1, client=None, now=NOON):
    tab = PageLoad(client or randomness.handle())
    fresh = reload(assignment)
    seen = assignments.work_of(fresh).seen
    return submitting.save_draft(fresh, stage, data, by=worker.user, tab=tab, seq=seq, seen=seen, now=now)


def leave_the_last(worker, how):
    """Hold the last in order, with a draft, and leave it at noon; the others are free again."""
    tasks = Task.objects.filter(queue__project=worker.project)
    tasks.filter(pk__in=tasks.order_by("order").values("pk")[:8]).update(state="full")
    left = worker.claim()
    drafted(worker, left)
    if how == "returned":
        skip_and_return.give_back(reload(left), by=worker.user, now=NOON)
    else:
        leases.expire_early(reload(left).lease, now=NOON)
    tasks.update(state="open")
    return left


@pytest.mark.parametrize("how", ["returned", "expired"])
def test_the_draft_is_kept_24_h_for_them_first(ann, how):
    left = leave_the_last(ann, how)
    again = ann.claim(now=NOON + A_DAY - timedelta(minutes=1))
    assert (again.task, again.annotation) == (left.task, left.annotation)
    assert assignments.work_of(reload(again)).draft("question").data == BAD_SO_FAR


@pytest.mark.parametrize("how", ["returned", "expired"])
def test_after_24_h_the_item_is_no_longer_offered_to_them_first_and_the_draft_waits_for_its_turn(ann, how):
    left, now = leave_the_last(ann, how), NOON + A_DAY
    got = []
    while not got or got[-1].task != left.task:
        got.append(ann.claim(now=now))
        if got[-1].task != left.task:
            ann.finish_bad(now=now)
    assert len(got) == 9
    assert assignments.work_of(reload(got[-1])).draft("question").data == BAD_SO_FAR


def test_whoever_is_given_the_item_meanwhile_never_sees_the_draft(ann, lights):
    left = leave_the_last(ann, "returned")
    Task.objects.exclude(pk=left.task_id).update(state="full")
    other = Worker(join(lights, "bea"), lights).claim()
    assert other.task == left.task
    assert assignments.work_of(reload(other)).draft("question") is None


def test_of_a_paper_block_the_drafts_are_kept_24_h_for_the_first_holder(wendy, adam, papers):
    for number in range(6):
        other = Worker(join(papers, f"writer-{number}"), papers, "ask")
        other.commit(other.claim(), "questions", asked("Which corpus was it?", "Is the code open?"))
    block = adam.claim()
    drafted(adam, block, "answer", {"kind": "abstractive", "text": "the"})
    leases.expire_early(reload(block).lease, now=NOON)
    again = adam.claim(now=NOON + A_DAY - timedelta(minutes=1))
    assert again.task.item.root == block.task.item.root
    skip_and_return.give_back(reload(again), by=adam.user, now=NOON)
    roots = set()
    for _ in range(20):
        next_one = adam.claim(now=NOON + A_DAY)
        roots.add(next_one.task.item.root_id)
        skip_and_return.give_back(reload(next_one), by=adam.user, now=NOON)
        if len(roots) > 1:
            break
    assert len(roots) > 1


def test_a_lower_sequence_number_is_ignored(ann):
    mine, client = ann.claim(), randomness.handle()
    drafted(ann, mine, data={"verdict": "good"}, seq=2, client=client)
    kept = drafted(ann, mine, data=BAD_SO_FAR, seq=1, client=client)
    assert (kept.seq, kept.data) == (2, {"verdict": "good"})
    assert Draft.objects.get().data == {"verdict": "good"}


def test_draft_writes_of_an_old_hold_go_to_the_late_area_never_over_the_new_holders_draft(ann, lights):
    """The design's late area is the draft in the old holder's own annotation."""
    mine = ann.claim()
    leases.expire_early(reload(mine).lease, now=NOON)
    bea = Worker(join(lights, "bea"), lights)
    hers = bea.claim()
    assert hers.task == mine.task
    drafted(bea, hers, data={"verdict": "good"})
    drafted(ann, mine)
    assert {draft.author: draft.data for draft in Draft.objects.all()} == {
        ann.user: BAD_SO_FAR,
        bea.user: {"verdict": "good"},
    }


def test_a_draft_of_returned_work_is_refused(ann):
    mine = ann.claim()
    skip_and_return.give_back(reload(mine), by=ann.user, now=NOON)
    with pytest.raises(AlreadyClosed):
        drafted(ann, mine)


def test_the_draft_is_deleted_when_its_answer_is_final(ann):
    mine = ann.claim()
    ann.commit(mine, "question", GOOD)
    drafted(ann, mine, "long_answer", NO_ANSWER)
    ann.commit(mine, "long_answer", NO_ANSWER)
    assert not Draft.objects.exists()
