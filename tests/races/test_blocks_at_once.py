"""Many people claim papers at once: each block is a whole paper, no slot is given twice, and there is no deadlock."""

from __future__ import annotations

from functools import partial
from itertools import repeat

import pytest

from tasks.engine import skip_and_return
from tasks.models import Assignment, Lease, Task
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, reload
from tests.people import NOON
from tests.proving import size
from tests.races.rigs.crowd import faults, gate, people, together
from tests.races.rigs.papers import (
    LATER,
    UNANSWERABLE,
    all_answered,
    block_of,
    blocks_until_none,
    library,
    mixed_endings,
    one_at_a_time,
    split_papers,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
PAPERS = size(4, 6)
"""Papers whose blocks are left half done."""


def test_every_paper_goes_whole_to_as_many_people_as_its_questions_want(tmp_path, crossings):
    papers = library(tmp_path, papers=size(4, 60), questions=4, slots=2)
    entrance = gate()
    ledgers = together(
        partial(blocks_until_none, papers, person, gate=entrance, endings=repeat(all_answered))
        for person in people(papers, size(5, 20))
    )
    assert faults([claim for ledger in ledgers for claim in ledger], activity="answer") == []
    assert split_papers() == []
    assert crossings == []
    assert set(Task.objects.filter(activity="answer").values_list("state", flat=True)) == {TaskState.DONE}
    passes = Assignment.objects.values_list("task__item__root", "slot", "lease").distinct()
    assert len(passes) == size(4, 60) * 2


def test_papers_whose_blocks_are_left_half_done_end_with_every_slot_filled_once(tmp_path, crossings):
    for turn in range(size(1, 20)):
        papers = library(tmp_path, papers=PAPERS, questions=4, slots=2, slug=f"papers-{turn}")
        entrance = gate()
        together(
            partial(blocks_until_none, papers, person, gate=entrance, endings=mixed_endings(turn * 100 + place))
            for place, person in enumerate(people(papers, PAPERS + 2))
        )
        assert split_papers() == []
        assert crossings == []
        tasks = Task.objects.filter(activity="answer", queue__project=papers)
        assert set(tasks.values_list("state", flat=True)) == {TaskState.DONE}
        kept = Assignment.objects.filter(task__in=tasks, state=AssignmentState.SUBMITTED)
        assert kept.count() == PAPERS * 4 * 2 == kept.values("task", "annotator").distinct().count()
        assert not Lease.objects.filter(closed_at__isnull=True).exists()


def test_of_many_people_who_want_one_paper_as_many_get_all_of_it_as_it_has_slots(tmp_path, crossings):
    papers = library(tmp_path, papers=1, questions=5, slots=2)
    crowd = people(papers, 8)
    for _ in range(size(2, 300)):
        got = together(partial(Worker(person, papers, "answer").claim) for person in crowd)
        blocks = [claim for claim in got if isinstance(claim, Assignment)]
        assert [block.lease.assignments.count() for block in blocks] == [5, 5]
        assert split_papers() == []
        for block in blocks:
            skip_and_return.give_back(reload(block), by=block.annotator, now=NOON)
    assert crossings == []


def test_a_claim_that_ends_overdue_blocks_of_one_paper_waits_for_their_holders_in_one_order(tmp_path, crossings):
    papers = library(tmp_path, papers=size(3, 300), questions=4, slots=2)
    ann, bob, cleo, dave = (Worker(person, papers, "answer") for person in people(papers, 4))
    for paper in one_at_a_time(papers):
        tasks = Task.objects.filter(item__root=paper).order_by("pk")
        early = [task.pk for task in tasks[:2]]
        tasks.filter(pk__in=early).update(state=TaskState.FROZEN)
        ann.claim()
        tasks.filter(pk__in=early).update(state=TaskState.OPEN)
        bobs = sorted(block_of(bob.claim()), key=lambda row: row.task_id)
        cleo.claim()
        answers = [partial(bob.commit, row, "answer", UNANSWERABLE, now=LATER) for row in bobs[:2]]
        together([partial(dave.claim, now=LATER), *answers])
        assert {reload(row).state for row in bobs[:2]} == {AssignmentState.SUBMITTED}
    assert crossings == []
