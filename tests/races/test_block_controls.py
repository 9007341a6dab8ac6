"""Controls of the races for papers: without each protection, the checkers must find the fault."""

from __future__ import annotations

from functools import partial
from itertools import repeat
from threading import Barrier, Event

import pytest
from django.db import transaction

from annotation.membership import Standing
from annotation.models import Membership
from tasks.engine import claiming, eligibility, leases, skip_and_return, transitions
from tasks.models import Assignment, Lease, Task
from tests.builders import Worker, reload
from tests.people import NOON, join
from tests.races.conftest import DEADLOCK
from tests.races.rigs.crowd import gate, people, together
from tests.races.rigs.papers import LATER, all_answered, asked, blocks_until_none, library, split_papers
from tests.races.test_asking_at_once import both_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]


def passing_over_locked_siblings(drawn, seek):
    """The free tasks of the drawn paper that nobody else is taking at this moment."""
    under = claiming._rows(seek).filter(item__root=drawn.item.root_id).order_by("pk")
    return list(under.select_for_update(of=("self",), skip_locked=True))


def test_the_control_a_claim_that_takes_one_question_splits_papers(tmp_path, monkeypatch):
    whole = claiming._lock_block
    monkeypatch.setattr(claiming, "_lock_block", lambda *given: whole(*given)[:1])
    papers = library(tmp_path, papers=2, questions=3)
    together(
        partial(blocks_until_none, papers, person, gate=gate(), endings=repeat(all_answered))
        for person in people(papers, 2)
    )
    assert any("given" in fault for fault in split_papers())


@pytest.mark.postgresql_only  # SQLite has one writer at a time: there is no locked row to skip
def test_the_control_a_claim_that_skips_locked_siblings_splits_papers(tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "_lock_block", passing_over_locked_siblings)
    papers = library(tmp_path, papers=1, questions=6)
    adam = Worker(join(papers, "adam"), papers, "answer")
    with transaction.atomic():
        # As somebody does who gives a question back, in the moment before their transaction ends.
        assert Task.objects.select_for_update().filter(activity="answer").order_by("pk").first() is not None
        together([adam.claim])
    assert any("given" in fault for fault in split_papers())


@pytest.mark.postgresql_only  # on SQLite the claims of all people wait for each other anyway
def test_the_control_without_the_persons_lock_they_end_up_in_both_pools(tmp_path, monkeypatch):
    def unlocked(by, project):
        roles = Membership.objects.filter(user=by, project=project).values_list("role", flat=True)
        return Standing(frozenset(roles), consented=True, sees_answers=False)

    monkeypatch.setattr(claiming, "lock_person", unlocked)
    papers = library(tmp_path, papers=30, questions=1)
    assert any(len(both_at_once(person, papers)) == 2 for person in people(papers, 10))


@pytest.mark.postgresql_only  # SQLite locks no rows, and so has no lock order
def test_the_control_blocks_that_lock_their_tasks_in_any_order_deadlock(tmp_path, monkeypatch, crossings):
    papers = library(tmp_path, papers=1, questions=3, slots=2)
    claims = [Worker(person, papers, "answer").claim() for person in people(papers, 2)]
    orders, both_have_one, one_is_done = iter(("pk", "-pk")), Barrier(2), Event()

    def in_opposite_orders(task_ids):
        rows = Task.objects.select_for_update(of=("self",)).filter(pk__in=task_ids)
        if order := next(orders, ""):
            rows.order_by(order).first()
            both_have_one.wait(60)
        else:  # the second try of one of them; before the other one wakes up, it could lock its first row again
            assert one_is_done.wait(60)
        return {row.pk: row for row in rows.order_by(order or "pk")}

    def give_back(claim):
        skip_and_return.give_back(claim, by=claim.annotator, now=NOON)
        one_is_done.set()

    monkeypatch.setattr(transitions, "lock", in_opposite_orders)
    together(partial(give_back, reload(claim)) for claim in claims)
    assert crossings == [DEADLOCK]


def test_the_control_a_card_back_without_a_check_of_the_other_pool_puts_its_writer_in_both(tmp_path, monkeypatch):
    monkeypatch.setattr(eligibility, "barred", lambda held: False)
    papers = library(tmp_path, papers=3, questions=1)
    writer = Worker(join(papers, "wendy"), papers, "ask")
    card = writer.claim()
    leases.expire_overdue(now=LATER)
    Worker(writer.user, papers, "answer").claim(now=LATER)
    writer.commit(card, "questions", asked("Which corpus was it?"), now=LATER)
    assert Lease.objects.filter(annotator=writer.user, activity="answer", closed_at__isnull=True).exists()
    assert Assignment.objects.get(pk=card.pk).state == "submitted"


def test_the_control_a_claim_that_does_not_look_for_the_rest_of_a_block_splits_a_paper(tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "fill_block", lambda queues, root: None)
    papers = library(tmp_path, papers=1, questions=0)
    writer = Worker(join(papers, "wendy"), papers, "ask")
    writer.commit(
        writer.claim(), "questions", asked("Which corpus was it?", "How many otters were there?", "Which river was it?")
    )
    monkeypatch.setattr(claiming, "AT_MOST_IN_A_CLAIM", 2)
    got = together(partial(Worker(person, papers, "answer").claim, now=LATER) for person in people(papers, 2))
    assert sorted(claim.lease.assignments.count() for claim in got) == [1, 2]
