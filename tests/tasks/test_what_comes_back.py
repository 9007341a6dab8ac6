"""What comes back to a block or a card: late answers, undone skips, returned work; and when it may not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.engine.drafts import save_draft
from annotation.errors import AlreadyClosed, StalePage
from annotation.models import Item, Response
from tasks.engine import assignments, claiming, leases, skip_and_return
from tasks.models import Lease, Task
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, open_papers, reload
from tests.factories.papers_once import papers, papers_once
from tests.people import NOON, join
from tests.tasks.test_blocks import LATER, UNANSWERABLE, asked

__all__ = ["papers", "papers_once"]

THREE = asked("Which corpus was it?", "How many people took part?", "Is the code open?")
TWO_DAYS = timedelta(hours=48)


@pytest.fixture
def olga(papers):
    return Worker(join(papers, "olga"), papers, "answer")


@pytest.fixture
def block(wendy, adam):
    """Adam's block of three questions about one paper, in the order of their tasks."""
    wendy.commit(wendy.claim(), "questions", THREE)
    return list(adam.claim().lease.assignments.order_by("task"))


def rows_of(claimed):
    return {row.task_id: row for row in claimed.lease.assignments.all()}


def test_a_late_answer_ends_the_block_of_somebody_who_has_committed_all_the_rest_and_settles_it(block, adam, olga):
    leases.expire_overdue(now=LATER)
    hers = rows_of(olga.claim(now=LATER))
    for row in block[:2]:
        olga.commit(hers[row.task_id], "answer", UNANSWERABLE, now=LATER)
    adam.commit(block[2], "answer", UNANSWERABLE, now=LATER)
    assert reload(hers[block[2].task_id]).state == AssignmentState.REVOKED
    assert Lease.objects.get(annotator=olga.user).closed_at == LATER
    assert set(Task.objects.filter(activity="answer").values_list("state", flat=True)) == {TaskState.DONE}


def test_a_late_answer_to_a_question_that_they_hold_again_goes_to_the_new_hold(block, adam):
    leases.expire_overdue(now=LATER)
    again = rows_of(adam.claim(now=LATER))
    adam.commit(block[0], "answer", UNANSWERABLE, now=LATER)
    assert reload(again[block[0].task_id]).state == AssignmentState.SUBMITTED
    assert reload(block[0]).state == AssignmentState.EXPIRED
    assert reload(block[0]).annotation.excluded_at is None
    assert assignments.next_in_block(reload(block[0])).lease == again[block[0].task_id].lease


def test_a_late_answer_from_a_page_that_does_not_know_the_newer_one_is_refused(block, adam):
    leases.expire_overdue(now=LATER)
    again = rows_of(adam.claim(now=LATER))
    adam.commit(again[block[0].task_id], "answer", UNANSWERABLE, now=LATER)
    with pytest.raises(StalePage):
        adam.commit(block[0], "answer", {"kind": "unanswerable"}, now=LATER, seen=0)
    assert Response.objects.filter(annotation=block[0].annotation).count() == 1


def test_a_draft_waits_for_its_author_when_the_block_has_expired(block, adam):
    work = assignments.work_of(reload(block[1]))
    save_draft(work, author=adam.user, step="answer", client=randomness.handle(), seq=1, data={"kind": "x"}, now=NOON)
    leases.expire_overdue(now=LATER)
    again = rows_of(adam.claim(now=LATER + timedelta(hours=20)))
    assert assignments.work_of(reload(again[block[1].task_id])).draft("answer").data == {"kind": "x"}


def test_after_two_days_a_block_is_over_and_its_rest_is_a_new_block_of_the_same_person(block, adam, papers):
    adam.commit(block[0], "answer", UNANSWERABLE)
    card = Worker(join(papers, "xenia"), papers, "ask").claim(now=NOON + TWO_DAYS - timedelta(minutes=1))
    again = adam.claim(now=NOON + TWO_DAYS)
    assert again.lease != block[0].lease
    assert again.lease.assignments.count() == 2
    assert again.lease.expires_at == NOON + TWO_DAYS + timedelta(hours=4)
    assert reload(card).lease.expires_at == card.lease.expires_at, "others keep their time"
    assert reload(block[0]).task.state == TaskState.DONE


def test_an_undone_skip_in_an_open_block_belongs_to_it_again(block, adam):
    skip_and_return.skip(reload(block[0]), by=adam.user, reason="hard", text="", now=NOON)
    undone = NOON + timedelta(seconds=9)
    skip_and_return.undo_skip(reload(block[0]), by=adam.user, now=undone)
    assert {reload(row).state for row in block} == {AssignmentState.LEASED}
    assert reload(block[0]).lease == block[1].lease
    assert reload(block[0]).lease.expires_at == undone + timedelta(hours=4)


def test_undoing_the_skip_that_ended_a_block_returns_the_whole_block_that_came_next(block, adam, papers):
    xenia = Worker(join(papers, "xenia"), papers, "ask")
    xenia.commit(xenia.claim(), "questions", THREE)
    for row in block[:2]:
        adam.commit(row, "answer", UNANSWERABLE)
    skip_and_return.skip(reload(block[2]), by=adam.user, reason="hard", text="", now=NOON)
    brought = rows_of(adam.claim())
    skip_and_return.undo_skip(reload(block[2]), by=adam.user, now=NOON)
    assert {reload(row).state for row in brought.values()} == {AssignmentState.RETURNED}
    assert len(brought) == 3
    assert reload(block[2]).state == AssignmentState.LEASED


def test_undoing_a_skip_leaves_alone_what_they_were_given_in_another_activity(db):
    shared = open_papers("shared", separate_pools=False)
    wendy, both = Worker(join(shared, "wendy"), shared, "ask"), join(shared, "both")
    asked_about = wendy.claim()
    wendy.commit(asked_about, "questions", asked("Which corpus was it?"))
    answer = Worker(both, shared, "answer").claim()
    skip_and_return.skip(reload(answer), by=both, reason="hard", text="", now=NOON)
    other = shared.items.filter(kind="paper").exclude(pk=asked_about.task.item_id).first()
    card = claiming.claim(shared, "ask", by=both, now=NOON, item=other)
    skip_and_return.undo_skip(reload(answer), by=both, now=NOON)
    assert [reload(row).state for row in (answer, card)] == [AssignmentState.LEASED, AssignmentState.LEASED]


def test_a_block_can_be_returned_from_the_page_of_a_committed_answer_too(block, adam):
    adam.commit(block[0], "answer", UNANSWERABLE)
    skip_and_return.give_back(reload(block[0]), by=adam.user, now=NOON)
    states = [reload(row).state for row in block]
    assert states == [AssignmentState.SUBMITTED, AssignmentState.RETURNED, AssignmentState.RETURNED]


def test_a_block_that_has_ended_cannot_be_returned(block, adam):
    for row in block:
        adam.commit(row, "answer", UNANSWERABLE)
    with pytest.raises(AlreadyClosed):
        skip_and_return.give_back(reload(block[0]), by=adam.user, now=NOON)


def test_late_questions_of_somebody_who_answers_by_now_are_kept_and_create_no_items(block, papers):
    yuri = Worker(join(papers, "yuri"), papers, "ask")
    card = yuri.claim()
    leases.expire_overdue(now=LATER)
    Worker(yuri.user, papers, "answer").claim(now=LATER)
    assert yuri.commit(card, "questions", THREE, now=LATER).late
    assert reload(card).annotation.exclusion_reason == "late"
    assert not Item.objects.filter(made_from__author=yuri.user).exists()


@pytest.mark.parametrize(("same", "late"), [(True, "barred"), (False, "")], ids=["the same paper", "another paper"])
def test_with_shared_pools_late_questions_are_kept_apart_only_of_who_answers_about_the_same_paper(db, same, late):
    shared = open_papers("shared", separate_pools=False, activities={"ask": {"overlap": {"train": 2}}})
    wendy, yuri = (Worker(join(shared, name), shared, "ask") for name in ("wendy", "yuri"))
    answered = wendy.claim()
    wendy.commit(answered, "questions", THREE)
    papers = shared.items.filter(kind="paper")
    wanted = papers.get(pk=answered.task.item_id) if same else papers.exclude(pk=answered.task.item_id).first()
    card = claiming.claim(shared, "ask", by=yuri.user, now=NOON, item=wanted)
    assert card.task.item == wanted
    leases.expire_overdue(now=LATER)
    assert Worker(yuri.user, shared, "answer").claim(now=LATER).task.item.root == answered.task.item
    assert yuri.commit(card, "questions", THREE, now=LATER).late == late


def test_a_skip_of_a_card_cannot_be_undone_by_somebody_who_answers_by_now(block, adam, papers):
    skip_and_return.give_back(reload(block[0]), by=adam.user, now=NOON)
    yuri = Worker(join(papers, "yuri"), papers, "ask")
    card = yuri.claim()
    skip_and_return.skip(reload(card), by=yuri.user, reason="hard", text="", now=NOON)
    Worker(yuri.user, papers, "answer").claim()
    with pytest.raises(AlreadyClosed):
        skip_and_return.undo_skip(reload(card), by=yuri.user, now=NOON)


def test_a_claim_that_creates_some_of_the_tasks_creates_those_of_whole_papers(wendy, adam, monkeypatch):
    monkeypatch.setattr(claiming, "AT_MOST_IN_A_CLAIM", 2)
    wendy.commit(wendy.claim(), "questions", THREE)
    assert adam.claim().lease.assignments.count() == 3


def test_questions_are_found_whose_request_began_before_the_last_fill_and_ended_after_it(wendy, adam):
    card = wendy.claim()
    adam.claim(now=NOON + timedelta(seconds=2))
    wendy.commit(card, "questions", THREE, now=NOON + timedelta(seconds=1))
    assert adam.claim(now=NOON + timedelta(seconds=3)).lease.assignments.count() == 3
