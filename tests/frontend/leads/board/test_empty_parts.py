"""A part of a board in which there is nothing says so, and why, if the address asks for what can't be."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Project, Role, User
from tasks.measuring import agreement
from tests.boards import bring_up_to_date
from tests.builders import Worker, open_with, project, questions
from tests.disagreeing import browser
from tests.people import NOON, join

BACKWARDS = {"since": "2026-11-20", "until": "2026-11-19"}
UNKNOWN = "Nobody in this project has the code “zz”."
WRONG_WAY = "The days are the wrong way round: the last one is before the first."
WORK_ONLY = "Done, in progress, wanted and disputed: of all days and people."


@pytest.fixture(scope="module")
def begun_once(shared_rows, tmp_path_factory):
    """Alice has done one question and holds another; lena leads."""
    made = project(pay="12.60 EUR an hour")
    open_with(made, tmp_path_factory.mktemp("lights"), [*questions(3), *questions(2, split="dev", start=10)])
    alice = Worker(join(made, "alice"), made)
    alice.finish_bad()
    alice.claim()
    bring_up_to_date(made)
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(begun_once, db):
    return Project.objects.get()


@pytest.fixture
def words(lights, monkeypatch):
    """The text of the board of a part, or of another page."""
    monkeypatch.setattr("annotation.clock.now", lambda: NOON)
    lead = browser(User.objects.get(username="lena"))

    def shown(page="project", **query) -> str:
        return " ".join(lead.get(reverse(page, args=[lights.slug]), query).content.decode().split())

    return shown


def test_a_code_that_nobody_here_has_is_named_beside_the_filter(words):
    shown = words(person="zz")
    assert UNKNOWN in shown
    assert 'aria-invalid="true" aria-describedby="part-wrong"' in shown
    assert shown.count("Nothing in this part.") == 2
    for said in ("Nobody has worked here yet", "Nobody holds any work now", "ten minutes yet"):
        assert said not in shown


def test_the_code_of_somebody_who_has_not_begun_is_known(words, lights):
    shown = words(person=join(lights, "bob").worker_code)
    assert "Nobody in this project" not in shown
    assert shown.count("Nothing in this part.") == 2


@pytest.mark.parametrize("page", ["project", "agreement"])
def test_days_the_wrong_way_round_are_named_beside_the_filter(words, lights, page):
    if page == "agreement":
        agreement.keep(lights, now=NOON)
    assert WRONG_WAY in words(page, **BACKWARDS)
    assert WRONG_WAY not in words(page, since="2026-11-19", until="2026-11-19")


def test_the_queues_say_which_columns_do_not_follow_people_and_days(words):
    of_nobody = words(person="zz")
    assert "1 in progress" in of_nobody
    assert WORK_ONLY in of_nobody
    assert WORK_ONLY in words(since="2026-11-20")
    assert WORK_ONLY not in words(split="dev")


def test_a_split_without_tasks_has_no_invitation_to_open_a_queue(words):
    shown = words(split="none")
    assert "No queue yet" not in shown
    assert "handed out yet" not in shown
    assert "compare yet" not in shown


def test_work_in_progress_follows_the_queue_and_says_that_it_does_not_follow_days(words):
    assert "Nobody holds any work now" not in words(queue="none")
    assert "1 lease, of all days and splits" in words(since="2026-11-20")
    assert "1 lease, of" not in words(queue="annotate")
