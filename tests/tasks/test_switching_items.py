"""Opening another card while one is held returns that one with its draft."""

from __future__ import annotations

from annotation import randomness
from annotation.engine import drafts
from annotation.models import Item
from tasks.engine import assignments, claiming
from tasks.engine.no_work import NoWork
from tests.builders import reload
from tests.people import NOON, join


def test_opening_another_card_returns_the_one_that_is_held(wendy, papers):
    held = wendy.claim()
    other = Item.objects.filter(kind="paper").exclude(pk=held.task.item_id).first()
    opened = claiming.claim(papers, "ask", by=wendy.user, now=NOON, item=other)
    assert opened.task.item == other
    assert reload(held).state == "returned"
    assert reload(held).lease.closed_at == NOON


def test_a_card_that_was_put_aside_is_resumed_with_its_draft(wendy, papers):
    held = wendy.claim()
    drafts.save_draft(
        assignments.work_of(held), author=wendy.user, step="questions", client=randomness.handle(), seq=1,
        data={"questions": "[]"}, now=NOON,
    )  # fmt: skip
    other = Item.objects.filter(kind="paper").exclude(pk=held.task.item_id).first()
    claiming.claim(papers, "ask", by=wendy.user, now=NOON, item=other)
    again = claiming.claim(papers, "ask", by=wendy.user, now=NOON, item=held.task.item)
    assert again.task == held.task
    assert assignments.work_of(again).draft("questions").data == {"questions": "[]"}


def test_opening_a_card_that_is_gone_keeps_the_one_that_is_held(wendy, papers):
    held = wendy.claim()
    gone = Item.objects.filter(kind="paper").exclude(pk=held.task.item_id).first()
    gone.tasks.update(state="cancelled")
    assert claiming.claim(papers, "ask", by=wendy.user, now=NOON, item=gone) == held


def test_opening_a_card_while_no_work_is_given_out_keeps_the_one_that_is_held(wendy, papers):
    held = wendy.claim()
    other = Item.objects.filter(kind="paper").exclude(pk=held.task.item_id).first()
    papers.queues.update(state="paused")
    assert claiming.claim(papers, "ask", by=wendy.user, now=NOON, item=other) == held
    somebody = join(papers, "olga")
    assert claiming.claim(papers, "ask", by=somebody, now=NOON, item=other) == NoWork("not_open")
