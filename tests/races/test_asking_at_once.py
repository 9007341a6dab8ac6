"""Concurrent asking and answering: one card each, writers up to the cap, and nobody ends up in both pools."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from annotation.errors import NotEligible
from annotation.models import Item
from tasks.engine import claiming, leases, skip_and_return
from tasks.models import Assignment, Lease, Task
from tasks.models.states import HOLDS_SLOT, AssignmentState
from tests.builders import Worker, reload
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import people, together
from tests.races.rigs.papers import LATER, UNANSWERABLE, asked, block_of, library, one_at_a_time, refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
TWO = asked("Which corpus was it?", "How many otters took part?")


def unless_barred(action):
    """Its result, or None if the person is in the other pool."""
    try:
        return action()
    except NotEligible:
        return None


def both_at_once(person, papers):
    """Claim `ask` and `answer` at the same moment; return both results."""
    tries = [partial(unless_barred, Worker(person, papers, activity).claim) for activity in ("ask", "answer")]
    return [got for got in together(tries) if isinstance(got, Assignment)]


def roots_of(person, activity):
    held = Assignment.objects.filter(annotator=person, task__activity=activity, state__in=HOLDS_SLOT)
    return {item.root_id or item.pk for item in Item.objects.filter(tasks__assignments__in=held)}


def open_papers(papers):
    return Item.objects.filter(project=papers, kind="paper").order_by("pk")


def open_card(writer, paper, **when):
    return claiming.claim(writer.project, "ask", by=writer.user, now=when.get("now", NOON), item=paper)


def test_claiming_asking_and_answering_at_once_gives_one_of_them_if_pools_are_separate(tmp_path, crossings):
    papers = library(tmp_path, papers=30, questions=1)
    for person in people(papers, size(3, 200)):
        (only,) = both_at_once(person, papers)
        skip_and_return.give_back(reload(only), by=person, now=NOON)
    assert crossings == []


def test_claiming_both_at_once_never_gives_one_paper_in_both_if_pools_are_shared(tmp_path, crossings):
    papers = library(tmp_path, papers=1, questions=1, slots=25, separate_pools=False)
    for person in people(papers, size(3, 200)):
        got = both_at_once(person, papers)
        assert len(got) == 1
        assert not roots_of(person, "ask") & roots_of(person, "answer")
        skip_and_return.give_back(reload(got[0]), by=person, now=NOON)
    assert crossings == []


@pytest.mark.parametrize("comes_back", ["late", "skipped"])
def test_a_card_that_comes_back_while_its_writer_claims_answering_leaves_them_in_one_pool(
    tmp_path, crossings, comes_back
):
    papers = library(tmp_path, papers=30, questions=1)
    for person in people(papers, size(3, 200)):
        writer = Worker(person, papers, "ask")
        card = writer.claim()
        if comes_back == "late":
            end = partial(writer.commit, card, "questions", TWO, now=LATER)
            leases.expire_overdue(now=LATER)
        else:
            skip_and_return.skip(reload(card), by=person, reason="hard", text="", now=LATER)
            end = partial(refused, partial(skip_and_return.undo_skip, reload(card), by=person, now=LATER))
        together([end, partial(unless_barred, partial(Worker(person, papers, "answer").claim, now=LATER))])
        asks, answers = roots_of(person, "ask"), roots_of(person, "answer")
        assert bool(asks) != bool(answers)
        made = Item.objects.filter(made_from__author=person).exists()
        assert made == (comes_back == "late" and bool(asks))
        for activity in ("ask", "answer"):
            for lease in Lease.objects.filter(annotator=person, activity=activity, closed_at__isnull=True):
                skip_and_return.give_back(reload(lease.assignments.first()), by=person, now=LATER)
    assert crossings == []


def test_of_cards_opened_at_once_one_stays_open_and_the_others_go_back(tmp_path, crossings):
    papers = library(tmp_path, papers=6, questions=0)
    for person in people(papers, size(3, 200)):
        writer = Worker(person, papers, "ask")
        cards = together(partial(open_card, writer, paper) for paper in open_papers(papers))
        (held,) = Assignment.objects.filter(annotator=person, state=AssignmentState.LEASED)
        assert held in cards
        assert {reload(card).state for card in cards if card != held} <= {AssignmentState.RETURNED}
        assert Lease.objects.filter(annotator=person, closed_at__isnull=True).count() == 1
        skip_and_return.give_back(reload(held), by=person, now=NOON)
    assert crossings == []


def test_another_card_opened_while_the_questions_of_the_first_are_sent_finds_them_sent_or_puts_it_aside(
    tmp_path, crossings
):
    papers = library(tmp_path, papers=10, questions=0)
    for person in people(papers, size(3, 200)):
        writer = Worker(person, papers, "ask")
        held, other = (paper for paper in open_papers(papers).filter(tasks__state="open")[:2])
        first = open_card(writer, held)
        send = partial(refused, partial(writer.commit, first, "questions", TWO))
        _, second = together([send, partial(open_card, writer, other)])
        sent = reload(first).state == AssignmentState.SUBMITTED
        assert sent or reload(first).state == AssignmentState.RETURNED
        assert Item.objects.filter(made_from=first.annotation).count() == (2 if sent else 0)
        assert second.task.item == other
        assert list(Assignment.objects.filter(annotator=person, state=AssignmentState.LEASED)) == [second]
        Task.objects.filter(item=held).update(state="cancelled")
        skip_and_return.give_back(reload(second), by=person, now=NOON)
    assert crossings == []


def test_of_many_writers_at_one_paper_only_as_many_get_its_card_as_the_cap_says(tmp_path, crossings):
    papers = library(tmp_path, papers=size(3, 300), questions=0)
    writers = [Worker(person, papers, "ask") for person in people(papers, 8)]
    for paper in one_at_a_time(papers, activity="ask"):
        got = together(partial(open_card, writer, paper) for writer in writers)
        cards = [card for card in got if isinstance(card, Assignment)]
        assert sorted(card.slot for card in cards) == [0, 1]
        for card in cards:
            Worker(card.annotator, papers, "ask").commit(card, "questions", TWO)
    assert crossings == []


def test_questions_sent_while_answerers_look_for_work_are_given_out_whole(tmp_path, crossings):
    papers = library(tmp_path, papers=size(3, 300), questions=0)
    answerers = [Worker(person, papers, "answer") for person in people(papers, 4)]
    for place, paper in enumerate(open_papers(papers)):
        writer = Worker(join(papers, f"writer-{place}"), papers, "ask")
        card = open_card(writer, paper)
        now = NOON + timedelta(hours=place)
        sent = partial(writer.commit, card, "questions", TWO, now=now - timedelta(seconds=1))
        got = together([sent, *[partial(each.claim, now=now) for each in answerers]])
        blocks = [claim for claim in got[1:] if isinstance(claim, Assignment)] or [answerers[0].claim(now=now)]
        (block,) = blocks
        assert block.lease.assignments.count() == 2
        for row in block_of(block):
            Worker(block.annotator, papers, "answer").commit(row, "answer", UNANSWERABLE, now=now)
    assert crossings == []
