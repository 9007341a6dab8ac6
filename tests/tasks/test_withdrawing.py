"""An item that a lead withdraws is given to nobody any more, nor is anything under it; finished work stays."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.engine import exclusion
from annotation.errors import AlreadyClosed, ReasonMissing
from annotation.models import Annotation, Event, Item, Role
from tasks import corrections
from tasks.engine import leases, queues, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.items import reports
from tasks.models import Assignment, Queue, Task
from tasks.models.states import AssignmentState, TaskState
from tests.builders import BAD, GOOD, Worker, open_with, questions, reload
from tests.factories.papers_once import papers, papers_once
from tests.people import NOON, join
from tests.tasks.test_blocks import asked

__all__ = ["papers", "papers_once"]

QUESTIONS = ("Which corpus was it?", "How many people took part?")
WHY = "its licence was taken back"


@pytest.fixture
def lena_of_papers(papers):
    return join(papers, "lena-of-papers", Role.LEAD)


def take_out(item, lead, reason=WHY):
    reports.cancel(item, by=lead, reason=reason, now=NOON)


def test_a_paper_that_is_withdrawn_takes_its_questions_with_it(papers, wendy, adam, lena_of_papers):
    card = wendy.claim()
    wendy.commit(card, "questions", asked(*QUESTIONS))
    held = adam.claim()
    assert held.task.item.root_id == card.task.item_id
    adam.commit(held, "answer", {"kind": "unanswerable"})
    take_out(card.task.item, lena_of_papers)
    states = Task.objects.filter(item__root=card.task.item).values_list("state", flat=True)
    assert sorted(states) == [TaskState.CANCELLED, TaskState.DONE]
    assert Annotation.objects.filter(completed_at__isnull=False, excluded_at__isnull=True).count() == 2
    other = reload(Assignment.objects.filter(annotator=adam.user, state=AssignmentState.REVOKED).get())
    with pytest.raises(AlreadyClosed):
        adam.commit(other, "answer", {"kind": "unanswerable"})
    assert isinstance(adam.claim(), NoWork)


def test_questions_that_are_in_no_queue_yet_are_not_handed_out_later(papers, wendy, adam, lena_of_papers):
    card = wendy.claim()
    wendy.commit(card, "questions", asked(*QUESTIONS))
    assert not Task.objects.filter(item__root=card.task.item).exists()
    take_out(card.task.item, lena_of_papers)
    for queue in Queue.objects.filter(project=papers):
        queues.fill(queue, now=NOON)
    assert isinstance(adam.claim(), NoWork)


def test_a_queue_that_opens_later_has_nothing_of_a_withdrawn_paper(papers, wendy, adam, lena_of_papers):
    Queue.objects.filter(project=papers, activity="answer").delete()
    papers.config = papers.config | {"activities": {"ask": {"overlap": {"train": 2}}}}
    Task.objects.filter(activity="ask").update(slots=2)
    card = wendy.claim()
    wendy.commit(card, "questions", asked(*QUESTIONS))
    take_out(card.task.item, lena_of_papers)
    queues.open_queue(papers, "answer", by=None, now=NOON)
    assert isinstance(adam.claim(), NoWork)
    assert Item.objects.filter(root=card.task.item).count() == len(QUESTIONS)


def test_other_papers_are_not_affected(papers, wendy, adam, lena_of_papers):
    cards = [wendy.claim()]
    wendy.commit(cards[0], "questions", asked(*QUESTIONS))
    cards.append(wendy.claim())
    wendy.commit(cards[1], "questions", asked(*QUESTIONS))
    take_out(cards[0].task.item, lena_of_papers)
    assert adam.claim().task.item.root_id == cards[1].task.item_id


def test_one_question_can_be_withdrawn_alone(papers, wendy, adam, lena_of_papers):
    card = wendy.claim()
    wendy.commit(card, "questions", asked(*QUESTIONS))
    first = adam.claim()
    take_out(first.task.item, lena_of_papers)
    assert reload(first).state == AssignmentState.REVOKED
    [left] = Assignment.objects.filter(annotator=adam.user, state=AssignmentState.LEASED)
    assert left.task.item.root == card.task.item


def test_the_history_says_why_and_nothing_is_withdrawn_without_a_reason(nq, alice, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    item = Worker(alice, nq).claim().task.item
    for reason in ("", " \n", "?!", "x" * 201):
        with pytest.raises(ReasonMissing):
            take_out(item, lena, reason=reason)
    assert item.tasks.get().state == TaskState.FULL
    take_out(item, lena, reason=f" {WHY} ")
    event = Event.objects.get(kind="item.cancelled")
    assert (event.by, event.subject, event.data) == (lena.pk, f"item:{item.pk}", {"reason": WHY})


def test_finished_work_can_be_excluded_as_well(nq, alice, lena, tmp_path):
    open_with(nq, tmp_path, questions(1, split="dev"))
    done = Worker(alice, nq).finish_bad()
    take_out(done.task.item, lena)
    assert exclusion.exclude(nq, item=done.task.item, by=lena, reason=WHY, now=NOON) == [done.annotation]


def test_work_that_was_sent_back_to_its_author_stays_submitted(nq, alice, lena, tmp_path):
    open_with(nq, tmp_path, questions(1, split="dev"))
    done = Worker(alice, nq).finish_bad()
    corrections.reopen(nq, done.annotation.uuid, by=lena, reason="look again", now=NOON)
    take_out(done.task.item, lena)
    assert reload(done).state == AssignmentState.SUBMITTED
    assert reload(done).task.state == TaskState.CANCELLED


@pytest.fixture
def left(nq, alice, tmp_path):
    """Alice at work on the only question."""
    open_with(nq, tmp_path, questions(1))
    return Worker(alice, nq)


def test_skipping_something_withdrawn_meanwhile_cannot_be_undone(left, lena):
    mine = left.claim()
    skip_and_return.skip(reload(mine), by=left.user, reason="hard", text="", now=NOON)
    take_out(mine.task.item, lena)
    with pytest.raises(AlreadyClosed):
        skip_and_return.undo_skip(reload(mine), by=left.user, now=NOON)
    assert reload(mine).state == AssignmentState.SKIPPED


def test_late_work_on_something_withdrawn_meanwhile_is_kept_and_fills_no_slot(left, lena):
    mine = left.claim()
    leases.expire_overdue(now=NOON + timedelta(hours=1))
    take_out(mine.task.item, lena)
    left.commit(mine, "question", BAD)
    assert reload(mine).state == AssignmentState.LATE
    assert reload(mine).annotation.exclusion_reason == "late"


def test_a_stage_of_something_withdrawn_meanwhile_is_kept_and_does_not_renew_the_lease(left, lena):
    mine = left.claim()
    leases.expire_overdue(now=NOON + timedelta(hours=1))
    take_out(mine.task.item, lena)
    left.commit(mine, "question", GOOD)
    assert reload(mine).state == AssignmentState.EXPIRED
    assert mine.annotation.responses.count() == 1
