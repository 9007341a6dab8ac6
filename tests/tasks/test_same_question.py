"""The same question with several pages: one person gets one of them in a session, and is told when the others come."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from annotation.models import Item
from tasks.engine import leases, skip_and_return
from tasks.engine.no_work import NoWork
from tests.builders import Worker, load, open_with, project, questions, write_lines
from tests.people import NOON, join

SOON = NOON + timedelta(minutes=1)
SESSION = timedelta(hours=12)
"""How long nobody is given a second item like one that they have had."""
LATER = NOON + SESSION


def asking(*texts, start=0):
    """Lines that ask these questions."""
    lines = questions(len(texts), start=start)
    return [line | {"question_text": text} for line, text in zip(lines, texts, strict=True)]


def more(into, folder, *texts, start=10):
    """The same, from an import that finishes a minute later."""
    load(into, write_lines(folder / f"more-{start}.jsonl", asking(*texts, start=start)), clock=lambda: SOON)


@pytest.fixture
def same(nq, tmp_path):
    """Three items that ask one question, and one that asks another."""
    ways = ("who tended the light", "Who tended  the light?", "ＷＨＯ tended the light")
    open_with(nq, tmp_path, asking(*ways, "who lit it"))
    return nq


def asked(assignment):
    return assignment.task.item.payload["question_text"]


def test_alice_gets_one_page_of_a_question_in_a_session_and_then_the_others(same, alice):
    worker = Worker(alice, same)
    assert "who lit it" in {asked(worker.finish_bad()) for _ in range(2)}
    assert worker.claim() == NoWork("alike_lately", next_at=NOON + SESSION)
    assert worker.claim(now=NOON + SESSION - timedelta(seconds=1)).reason == "alike_lately"
    assert asked(worker.finish_bad(now=LATER)) != "who lit it"
    assert worker.claim(now=LATER) == NoWork("alike_lately", next_at=LATER + SESSION)


def test_bob_gets_another_page_of_the_question_that_alice_has(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, asking("who tended it", "who tended it"))
    hers, his = Worker(alice, nq).claim(), Worker(bob, nq).claim()
    assert hers.task != his.task
    assert asked(hers) == asked(his)


def test_a_question_that_was_skipped_was_seen_too(nq, alice, tmp_path):
    open_with(nq, tmp_path, asking("who tended it", "who tended it"))
    skip_and_return.skip(Worker(alice, nq).claim(), by=alice, reason="hard", text="", now=NOON)
    assert Worker(alice, nq).claim().reason == "alike_lately"


def test_what_alice_returned_or_let_expire_comes_back_to_her_but_nothing_like_it(nq, alice, tmp_path):
    open_with(nq, tmp_path, asking("who tended it", "who tended it"))
    worker = Worker(alice, nq)
    first = worker.claim()
    skip_and_return.give_back(first, by=alice, now=NOON)
    assert worker.claim().task == first.task
    leases.expire_overdue(now=NOON + timedelta(hours=1))
    assert worker.claim(now=NOON + timedelta(hours=1)).task == first.task


def test_questions_in_another_project_do_not_count(same, alice, tmp_path):
    worker = Worker(alice, same)
    for _ in range(2):
        worker.finish_bad()
    ferries = project("ferries")
    open_with(ferries, tmp_path, asking("who tended the light", "who lit it"))
    worker = Worker(join(ferries, "alice"), ferries)
    assert {asked(worker.finish_bad()) for _ in range(2)} == {"who tended the light", "who lit it"}


def test_what_another_person_holds_may_be_free_before_the_session_is_over(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, asking("who tended it"))
    Worker(alice, nq).finish_bad()
    more(nq, tmp_path, "who lit it")
    Worker(bob, nq).claim(now=SOON)
    more(nq, tmp_path, "who tended it", start=20)
    assert Worker(alice, nq).claim(now=SOON) == NoWork("alike_lately", next_at=SOON + timedelta(minutes=20))


@pytest.mark.parametrize(
    ("other", "at"), [("who lit it", SOON + timedelta(minutes=20)), ("who tended it", NOON + SESSION)]
)
def test_what_others_hold_is_available_when_it_may_come_to_alice(nq, alice, bob, tmp_path, other, at):
    open_with(nq, tmp_path, asking("who tended it"))
    Worker(alice, nq).finish_bad()
    more(nq, tmp_path, other)
    Worker(bob, nq).claim(now=SOON)
    assert Worker(alice, nq).claim(now=SOON) == NoWork("others_hold", next_at=at)


def test_questions_that_existed_before_get_what_an_import_gives_them(same):
    given = list(Item.objects.order_by("pk").values_list("pk", "alike"))
    assert len({alike for _, alike in given}) == 2
    Item.objects.update(alike="")
    import_module("annotation.migrations.0004_alike").fill(apps, None)
    assert list(Item.objects.order_by("pk").values_list("pk", "alike")) == given


def test_no_two_papers_are_alike(papers):
    assert set(Item.objects.values_list("alike", flat=True)) == {""}
