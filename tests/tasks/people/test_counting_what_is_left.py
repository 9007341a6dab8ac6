"""How much is left for one person: counted as far as `COUNTED`, and items that are alike once."""

from __future__ import annotations

import pytest

from annotation import registry
from tasks.engine import eligibility
from tasks.engine.eligibility import SESSION, Seeker
from tests.builders import Worker, load, open_with, questions, write_lines
from tests.people import NOON
from tests.tasks.test_same_question import asking


@pytest.fixture(autouse=True)
def counted(monkeypatch):
    monkeypatch.setattr(eligibility, "COUNTED", 3)


def seeking(found, user, activity="annotate"):
    wanted = registry.get(found.protocol).activity(activity)
    return Seeker(user, found, (found.queues.get(activity=activity),), wanted, found.protocol, NOON - SESSION)


@pytest.mark.parametrize(("items", "told"), [(2, 2), (3, 3), (4, 4), (5, 4)])
def test_free_tasks_are_counted_to_one_more_than_the_limit(nq, alice, tmp_path, items, told):
    open_with(nq, tmp_path, questions(items))
    assert eligibility.count_doable(seeking(nq, alice)) == told


@pytest.mark.parametrize(
    ("texts", "told"), [("aaaaaaaaabc", 3), ("aaaab", 2), ("aabc", 3), ("aabcd", 4), ("aaaabcdefg", 4), ("a" * 70, 1)]
)
def test_of_items_that_are_alike_one_is_counted(nq, alice, tmp_path, texts, told):
    open_with(nq, tmp_path, asking(*(f"who tended light {letter}" for letter in texts)))
    assert eligibility.count_doable(seeking(nq, alice)) == told


def test_items_that_nothing_is_like_are_counted_one_by_one(papers, wendy):
    assert papers.items.filter(kind="paper").count() > 4
    assert eligibility.count_doable(seeking(papers, wendy.user, "ask")) == 4


@pytest.mark.parametrize(("items", "told"), [(2, 2), (3, 3), (4, 4), (5, 4)])
def test_items_without_a_task_yet_are_counted_to_one_more_than_the_limit(nq, alice, tmp_path, items, told):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    load(nq, write_lines(tmp_path / "more.jsonl", questions(items, start=1)))
    assert eligibility.count_doable(seeking(nq, alice)) == 0
    assert eligibility.count_new(seeking(nq, alice)) == told
