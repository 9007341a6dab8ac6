"""Work that nobody has touched or kept open goes to somebody who would otherwise get nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tasks.engine import leases, submitting
from tasks.engine.no_work import NoWork
from tasks.engine.tabs import PageLoad
from tasks.models.states import AssignmentState
from tests.builders import GOOD, PAGE_LOAD, Worker, open_with, project, questions, reload
from tests.people import NOON, join


def at(minutes):
    return NOON + timedelta(minutes=minutes)


@pytest.fixture
def lights(db, tmp_path):
    """A project with a single question for one person."""
    made = project(activities={"annotate": {"overlap": {"train": 1}}})
    open_with(made, tmp_path, questions(1))
    return made


def test_work_of_a_closed_page_goes_to_somebody_who_waits_after_five_minutes(ada, ben):
    left = ada.claim()
    assert isinstance(ben.claim(now=at(5) - timedelta(seconds=1)), NoWork)
    assert ben.claim(now=at(5)).task_id == left.task_id
    assert reload(left).state == AssignmentState.EXPIRED


def test_work_that_is_kept_open_stays(ada, ben):
    held = ada.claim()
    leases.renew(held.lease, now=at(4))
    assert isinstance(ben.claim(now=at(8)), NoWork)


def test_work_in_which_something_was_saved_or_sent_stays_until_its_time_ends(ada, ben):
    held = ada.claim()
    submitting.save_draft(held, "question", GOOD, by=ada.user, tab=PageLoad(PAGE_LOAD), seen=0, seq=1, now=NOON)
    assert isinstance(ben.claim(now=at(19)), NoWork)
    ada.commit(held, "question", GOOD)
    assert isinstance(ben.claim(now=at(19)), NoWork)
    assert not isinstance(ben.claim(now=at(21)), NoWork)


def test_work_in_another_project_stays(ada, ben, tmp_path):
    ferries = project("ferries", activities={"annotate": {"overlap": {"train": 1}}})
    open_with(ferries, tmp_path, questions(1))
    elsewhere = Worker(join(ferries, "cleo"), ferries).claim()
    ada.claim()
    assert not isinstance(ben.claim(now=at(6)), NoWork)
    assert (reload(elsewhere).state, reload(elsewhere).lease.expires_at) == (AssignmentState.LEASED, at(20))


def test_all_idle_work_is_free_at_once_whatever_was_saved_and_sent_in_other_work(lights, ada, ben, tmp_path):
    open_with(lights, tmp_path, questions(3, start=1))
    people = [Worker(join(lights, name), lights) for name in ("cleo", "dirk", "eve")]
    idle = [ada.claim(), people[0].claim()]
    drafted, answered = people[1].claim(), people[2].claim()
    submitting.save_draft(
        drafted, "question", GOOD, by=people[1].user, tab=PageLoad(PAGE_LOAD), seen=0, seq=1, now=NOON
    )
    people[2].commit(answered, "question", GOOD)
    assert ben.claim(now=at(5)).task in [row.task for row in idle]
    assert {reload(row).state for row in idle} == {AssignmentState.EXPIRED}
    assert {reload(row).state for row in (drafted, answered)} == {AssignmentState.LEASED}


def test_a_block_stays_with_its_holder_until_its_own_time_ends(papers, wendy, adam):
    questions_of = {"questions": [{"text": "Is the code open?", "answerable_from_abstract": False}]}
    card = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    wendy.commit(wendy.claim(), "questions", card | questions_of)
    held = adam.claim()
    other = Worker(join(papers, "olga"), papers, "answer")
    assert isinstance(other.claim(now=at(239)), NoWork)
    assert other.claim(now=at(240)).task == held.task


def test_work_is_not_taken_away_while_there_is_other_work(lights, ada, ben, tmp_path):
    held = ada.claim()
    open_with(lights, tmp_path, questions(1, start=5))
    assert ben.claim(now=at(10)).task_id != held.task_id
    assert reload(held).state == AssignmentState.LEASED


def test_work_is_not_taken_away_for_somebody_who_may_not_have_it(db, tmp_path):
    twice = project("twice", activities={"annotate": {"overlap": {"train": 2}}})
    open_with(twice, tmp_path, questions(1))
    ada, ben = (Worker(join(twice, name), twice) for name in ("ada", "ben"))
    ada.finish_bad()
    held = ben.claim()
    assert ada.claim(now=at(5)) == NoWork("done_all_you_may")
    assert (reload(held).state, reload(held).lease.expires_at) == (AssignmentState.LEASED, at(20))
