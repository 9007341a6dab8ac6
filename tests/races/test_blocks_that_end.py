"""A block ends at the moment of a commit, a revision or a return: each answer counts once, and the rest is free."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import pytest

from annotation.models import Item, Response
from tasks.engine import leases, skip_and_return
from tasks.models import Assignment, Lease, Task
from tasks.models.states import HOLDS_SLOT, AssignmentState, TaskState
from tests.builders import Worker, reload
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together
from tests.races.rigs.papers import (
    BY_ABSENCE,
    LATER,
    UNANSWERABLE,
    block_of,
    library,
    one_at_a_time,
    refused,
    split_papers,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]


@dataclass
class Round:
    """One paper with three questions that want one answer each, and two people."""

    alice: Worker
    bob: Worker
    paper: Item

    def block(self, worker, **when):
        """The worker's tasks of the paper, in order."""
        return sorted(block_of(worker.claim(**when)), key=lambda row: row.task_id)

    def held(self):
        """The holders of the paper's slots."""
        return Assignment.objects.filter(task__item__root=self.paper, state__in=HOLDS_SLOT)

    def states(self):
        """The states of its tasks."""
        return sorted(Task.objects.filter(item__root=self.paper).values_list("state", flat=True))


@pytest.fixture
def rounds(tmp_path):
    """Per round: alice and bob, and a paper of their own."""
    count = size(3, 1000)
    papers = library(tmp_path, papers=count, questions=3)
    alice, bob = (Worker(join(papers, name), papers, "answer") for name in ("alice", "bob"))
    return (Round(alice, bob, paper) for paper in one_at_a_time(papers))


def test_a_commit_racing_with_the_end_of_its_block_counts_and_the_rest_goes_to_one_person(rounds, crossings):
    for turn in rounds:
        alice, bob, block = turn.alice, turn.bob, turn.block(turn.alice)
        alice.commit(block[0], "answer", UNANSWERABLE)
        together(
            [
                partial(alice.commit, block[1], "answer", UNANSWERABLE, now=LATER),
                partial(leases.expire_overdue, now=LATER),
                partial(bob.claim, now=LATER),
            ]
        )
        assert reload(block[0]).state == reload(block[1]).state == AssignmentState.SUBMITTED
        bobs = bob.claim(now=LATER)
        assert reload(block[2]).state in (AssignmentState.EXPIRED, AssignmentState.LEASED)
        rest = turn.held().get(task=block[2].task)
        assert rest == (bobs if isinstance(bobs, Assignment) else reload(block[2]))
        assert split_papers() == []
    assert crossings == []


def test_late_answers_to_a_paper_that_another_holds_and_answers_lock_in_one_order(rounds, crossings):
    for turn in rounds:
        alice, bob = turn.alice, turn.bob
        first = Task.objects.filter(item__root=turn.paper).order_by("pk").first()
        Task.objects.filter(pk=first.pk).update(state=TaskState.FROZEN)
        second, third = turn.block(alice)
        leases.expire_overdue(now=LATER)
        Task.objects.filter(pk=first.pk).update(state=TaskState.OPEN)
        bobs = turn.block(bob, now=LATER)[0]
        bob.commit(bobs, "answer", UNANSWERABLE, now=LATER)
        together(
            [
                partial(alice.commit, third, "answer", UNANSWERABLE, now=LATER),
                partial(alice.commit, second, "answer", UNANSWERABLE, now=LATER),
                *[partial(refused, partial(bob.commit, bobs, "answer", BY_ABSENCE, now=LATER))] * 3,
            ]
        )
        assert turn.held().values("task").distinct().count() == 3 == turn.held().count()
        assert reload(second).state == reload(third).state == AssignmentState.SUBMITTED
        assert Lease.objects.get(pk=bobs.lease_id).closed_at == LATER
        assert set(turn.states()) == {TaskState.DONE}
    assert crossings == []


def test_a_commit_racing_with_the_return_of_its_block_counts_once_or_is_refused(rounds, crossings):
    for turn in rounds:
        alice, bob, block = turn.alice, turn.bob, turn.block(turn.alice)
        together(
            [
                partial(refused, partial(alice.commit, block[0], "answer", UNANSWERABLE)),
                partial(refused, partial(skip_and_return.give_back, reload(block[1]), by=alice.user, now=NOON)),
            ]
        )
        answered = Response.objects.filter(annotation=block[0].annotation).count()
        state = reload(block[0]).state
        assert (answered, state) in {(1, AssignmentState.SUBMITTED), (0, AssignmentState.RETURNED)}
        assert {reload(row).state for row in block[1:]} == {AssignmentState.RETURNED}
        assert bob.claim().lease.assignments.count() == 3 - answered
        assert turn.states().count(TaskState.DONE) == answered
    assert crossings == []


def test_a_revision_racing_with_the_last_commit_counts_or_is_refused_and_never_half(rounds, crossings):
    for turn in rounds:
        alice, block = turn.alice, turn.block(turn.alice)
        alice.commit(block[0], "answer", UNANSWERABLE)
        alice.commit(block[1], "answer", UNANSWERABLE)
        revised, _ = together(
            [
                partial(refused, partial(alice.commit, block[0], "answer", BY_ABSENCE)),
                partial(alice.commit, block[2], "answer", UNANSWERABLE),
            ]
        )
        said = Response.objects.filter(annotation=block[0].annotation).order_by("pk")
        assert [row.revision for row in said] == ([1] if revised is None else [1, 2])
        assert turn.states() == [TaskState.DONE] * 3
        assert Lease.objects.get(pk=block[0].lease_id).closed_at == NOON
    assert crossings == []


def test_a_late_answer_racing_with_the_persons_own_claim_of_the_paper_counts_once(rounds, crossings):
    for turn in rounds:
        alice, block = turn.alice, turn.block(turn.alice)
        leases.expire_overdue(now=LATER)
        together(
            [
                partial(alice.commit, block[0], "answer", UNANSWERABLE, now=LATER),
                partial(alice.claim, now=LATER),
            ]
        )
        rows = Assignment.objects.filter(task=block[0].task)
        assert [row.state for row in rows if row.state in HOLDS_SLOT] == [AssignmentState.SUBMITTED]
        assert reload(block[0]).annotation.excluded_at is None
        assert Response.objects.filter(annotation=block[0].annotation).count() == 1
        rest = block_of(alice.claim(now=LATER + timedelta(minutes=1)))
        for row in rest:
            if reload(row).state == AssignmentState.LEASED:
                alice.commit(row, "answer", UNANSWERABLE, now=LATER)
        assert turn.states() == [TaskState.DONE] * 3
    assert crossings == []
