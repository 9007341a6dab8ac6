"""Who asks about a paper does not answer about it, whether a project has a pool of people for each or one for both."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tasks.engine import claiming, eligibility, skip_and_return
from tasks.engine.no_work import NoWork
from tests.builders import Worker, open_papers
from tests.people import NOON, join
from tests.tasks.test_blocks import LATER, asked

pytestmark = pytest.mark.on_both_databases


def test_with_shared_pools_nobody_answers_about_a_paper_they_asked_about(db):
    shared = open_papers("shared", separate_pools=False)
    both = join(shared, "both")
    card = Worker(both, shared, "ask").claim()
    Worker(both, shared, "ask").commit(card, "questions", asked("Which corpus was it?"))
    assert isinstance(Worker(both, shared, "answer").claim(now=LATER), NoWork)
    other = Worker(join(shared, "other"), shared, "ask")
    other.commit(other.claim(now=LATER), "questions", asked("How many people took part?"), now=LATER)
    assert Worker(both, shared, "answer").claim(now=LATER + timedelta(minutes=1)).task.item.root != card.task.item


def test_with_shared_pools_nobody_asks_about_a_paper_whose_text_they_were_given(db):
    shared = open_papers("shared", separate_pools=False, activities={"ask": {"overlap": {"train": 2}}})
    both, other = join(shared, "both"), Worker(join(shared, "other"), shared, "ask")
    card = other.claim()
    other.commit(card, "questions", asked("Which corpus was it?"))
    mine = Worker(both, shared, "answer").claim(now=LATER)
    skip_and_return.give_back(mine, by=both, now=LATER)
    assert isinstance(claiming.claim(shared, "ask", by=both, now=LATER, item=card.task.item), NoWork)
    someone = join(shared, "someone")
    assert claiming.claim(shared, "ask", by=someone, now=LATER, item=card.task.item).task == card.task


def test_who_is_writing_questions_about_a_paper_is_not_given_its_text_meanwhile(db):
    shared = open_papers("shared", separate_pools=False, activities={"ask": {"overlap": {"train": 2}}})
    both, other = join(shared, "both"), Worker(join(shared, "other"), shared, "ask")
    card = other.claim()
    other.commit(card, "questions", asked("Which corpus was it?"))
    held = claiming.claim(shared, "ask", by=both, now=LATER, item=card.task.item)
    assert held.task == card.task
    assert isinstance(Worker(both, shared, "answer").claim(now=LATER), NoWork)
    assert Worker(join(shared, "adam"), shared, "answer").claim(now=LATER).task.item.root == card.task.item


def test_who_asks_in_another_project_answers_in_this_one(wendy, adam):
    elsewhere = open_papers("elsewhere")
    join(elsewhere, adam.user.username)
    assert not isinstance(Worker(adam.user, elsewhere, "ask").claim(), NoWork)
    wendy.commit(wendy.claim(), "questions", asked("Which corpus was it?"))
    assert not isinstance(adam.claim(), NoWork)


def test_a_card_that_was_opened_and_returned_without_a_question_does_not_bar_from_answering(wendy, papers):
    skip_and_return.give_back(wendy.claim(), by=wendy.user, now=NOON)
    assert eligibility.why_not_claim(wendy.user, papers, "answer") is None
