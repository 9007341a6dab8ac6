"""Home: one entry for each piece of work, closed queues apart, and a lead's projects first."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Project, Role
from annotation.models.case import FlagReason
from annotation.protocols.qasper import demo
from frontend.work.beginning.news import TOLD
from tasks import corrections
from tasks.engine import claiming
from tasks.items import reports
from tasks.people import memberships
from tests.builders import BAD, Worker, open_papers, open_with, project, questions, reload
from tests.people import NOON, join

RECIPES = "sample.0001"
TITLE = "Half a Recipe: Shortening Cooking Instructions with the Questions of Home Cooks"


@pytest.fixture(scope="module")
def asked_once(shared_rows) -> int:
    papers = open_papers()
    wendy = Worker(join(papers, "wendy"), papers, "ask")
    held = claiming.claim(papers, "ask", by=wendy.user, now=NOON, item=papers.items.get(external_id=RECIPES))
    wendy.commit(held, "questions", demo.ask_as_known(demo.known()[RECIPES]))
    return papers.pk


@pytest.fixture
def asked(asked_once, db):
    """A paper with four questions."""
    return Project.objects.get(pk=asked_once)


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2))
    return made.pk


@pytest.fixture
def nq(lights_once, db):
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lights(nq):
    return nq


def home(client, user):
    client.force_login(user)
    return client.get(reverse("home"))


def test_a_paper_with_four_questions_is_one_entry_with_its_title_and_how_much_is_done(asked, client):
    adam = Worker(join(asked, "adam"), asked, "answer")
    first = adam.claim()
    page = home(client, adam.user)
    (held,) = page.context["held"]
    assert (held.about, held.parts, held.done) == (TITLE, 4, 0)
    text = page.content.decode()
    assert "Questions: 0 of 4 done." in text
    assert text.count("Go on") == 1
    adam.commit(first, "answer", {"kind": "unanswerable"})
    (held,) = home(client, adam.user).context["held"]
    assert (held.parts, held.done) == (4, 1)
    assert held.url != reverse("work", args=[first.uuid])


def test_a_question_is_named_by_itself(lights, alice, client):
    mine = Worker(alice, lights).claim()
    (held,) = home(client, alice).context["held"]
    assert held.about == mine.task.item.payload["question_text"]
    assert held.parts == 0


def test_what_a_lead_sent_back_is_named_with_the_lead_s_reason(lights, alice, client):
    mine = Worker(alice, lights).finish_bad()
    corrections.reopen(lights, mine.annotation.uuid, by=None, reason="Read it once more.", now=NOON)
    text = home(client, alice).content.decode()
    assert mine.task.item.payload["question_text"] in text
    assert "Read it once more." in text


def test_what_was_sent_back_stands_beside_what_is_in_work(lights, alice, client):
    first = Worker(alice, lights).finish_bad()
    second = Worker(alice, lights).claim()
    corrections.reopen(lights, first.annotation.uuid, by=None, reason="Read it once more.", now=NOON)
    held = home(client, alice).context["held"]
    assert {one.about for one in held} == {row.task.item.payload["question_text"] for row in (first, second)}
    assert sorted(bool(one.reopened) for one in held) == [False, True]


def test_queues_without_work_stand_in_a_card_of_their_own(lights, alice, client):
    assert home(client, alice).context["closed"] == []
    while not isinstance(mine := Worker(alice, lights).claim(), claiming.NoWork):
        Worker(alice, lights).commit(mine, "question", BAD)
    page = home(client, alice)
    assert [row["project"] for row in page.context["closed"]] == ["Lights"]
    assert page.context["open"] == []
    assert "Not open to you now" in page.content.decode()


def test_a_lead_s_home_begins_with_the_projects_and_what_waits_in_them(lights, alice, client):
    lena = join(lights, "lena", Role.LEAD)
    mine = Worker(alice, lights).claim()
    reports.report(reload(mine), by=alice, reason=FlagReason.BROKEN, text="", now=NOON)
    page = home(client, lena)
    text = page.content.decode()
    assert "Your projects" in text
    assert "1 reported" in text
    assert "There is no work for you yet" not in text
    (led,) = page.context["led"]
    assert (led.done, led.total, led.reported, led.disputed) == (0, 2, 1, 0)


def test_a_lead_who_also_annotates_elsewhere_sees_both(lights, alice, asked, client):
    join(asked, "alice", Role.LEAD)
    text = home(client, alice).content.decode()
    assert text.index("Projects you lead") < text.index("Open to you")


def test_somebody_without_any_project_is_told_how_work_appears(mallory, client):
    assert "There is no work for you yet" in home(client, mallory).content.decode()


@pytest.mark.parametrize("finish", [True, False])
def test_whose_part_has_ended_is_told_what_is_left_for_them_to_do(lights, alice, client, finish):
    lena = join(lights, "lena", Role.LEAD)
    Worker(alice, lights).claim()
    memberships.end(lights, alice, Role.ANNOTATOR, finish=finish, by=lena, reason="enough people", now=clock.now())
    text = " ".join(home(client, alice).content.decode().split())
    if finish:
        assert "You finish what you have open; there is no new work for you in this project." in text
        assert "Go on" in text
    else:
        assert text.count(f"You no longer work in {lights.title}") == 1
        assert "Your part in it has ended, on" in text
        assert "This is about what you had open" not in text
        assert "There is no work for you now" in text
        assert f'Your time, and what it comes to, is kept: <a href="{reverse("time")}">' in text


@pytest.mark.parametrize(("ago", "told"), [(TOLD - timedelta(minutes=1), True), (TOLD, False)])
def test_for_seven_days_whose_part_has_ended_is_told_so_though_nothing_was_open(lights, alice, client, ago, told):
    lena, then = join(lights, "lena", Role.LEAD), clock.now() - ago
    memberships.end(lights, alice, Role.ANNOTATOR, finish=False, by=lena, reason="enough people", now=then)
    text = home(client, alice).content.decode()
    assert (f"You no longer work in {lights.title}" in text) == told
    assert "There is no work for you now" in text
    assert "You can stop at any moment" not in text


def test_whose_role_was_changed_has_not_left(lights, alice, client):
    lena = join(lights, "lena", Role.LEAD)
    memberships.end(lights, alice, Role.ANNOTATOR, finish=False, by=lena, reason="an expert", now=clock.now())
    join(lights, "alice", Role.EXPERT)
    assert "You no longer work in" not in home(client, alice).content.decode()
