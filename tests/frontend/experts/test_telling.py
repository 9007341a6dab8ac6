"""The people concerned read how a dispute was decided where a lead wants it, and never before their own work is in."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock, projects
from annotation.models import Annotation, Event, Item, Project, Role, User
from frontend.work.beginning.news import TOLD
from tasks.disputes import deciding, who
from tests.builders import Worker
from tests.disagreeing import BAD, NOTHING, answered, box, browser, lights
from tests.people import NOON, join

REASON = "The paragraph names the tower."


@pytest.fixture(scope="module")
def disputed_once(shared_rows, tmp_path_factory):
    """Ada, ben and cleo have answered the first of two questions, each in another way; lena leads."""
    made = lights(tmp_path_factory.mktemp("lights"))
    join(made, "lena", Role.LEAD)
    return answered(made, box(1), NOTHING, BAD, names=["ada", "ben", "cleo"]).pk


@pytest.fixture
def nq(disputed_once, db):
    return Project.objects.get()


@pytest.fixture
def lena(disputed_once, db):
    return User.objects.get(username="lena")


@pytest.fixture
def item(disputed_once, db):
    return Item.objects.select_related("project").get(pk=disputed_once)


def decide(item, author: str, *, now=NOON) -> None:
    erin = join(item.project, "erin", Role.EXPERT)
    who.begin(erin, item.project, now=NOON)
    chosen = Annotation.objects.get(item=item, author__username=author).uuid
    deciding.decide(deciding.task_of(item, "annotate"), chosen, by=erin, reason=REASON, now=now)


def at_home(name: str) -> str:
    page = browser(User.objects.get(username=name)).get(reverse("home")).content.decode()
    return " ".join(html.unescape(page).split())


def read(name: str, only: str = "") -> str:
    user = User.objects.get(username=name)
    page = html.unescape(browser(user).get(reverse("finished") + only).content.decode())
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def tell(nq, lena, *, told=True) -> None:
    assert browser(lena).post(reverse("tell_decisions", args=[nq.slug]), {"tell": int(told)}).status_code == 302


def test_by_default_nobody_is_told(item):
    before = [read(name) for name in ("ada", "ben")]
    decide(item, "ada")
    assert [read(name) for name in ("ada", "ben")] == before


def test_where_a_lead_wants_it_everybody_concerned_reads_the_outcome(nq, item, lena):
    decide(item, "ada")
    tell(nq, lena)
    mine, theirs = read("ada"), read("ben")
    assert "An expert has decided for your answer" in mine
    assert "An expert has decided for another answer" in theirs
    quote = Annotation.objects.get(author__username="ada").responses.get(stage="long_answer").payload["quote"][:20]
    own, of_the_expert = theirs.split("An expert has decided")
    assert (quote in own, quote in of_the_expert) == (False, True)
    assert REASON in mine
    assert REASON in theirs


def test_neither_who_decided_nor_who_else_answered_is_told(nq, item, lena):
    decide(item, "ada")
    tell(nq, lena)
    page = read("ben")
    for name in ("erin", "ada", "cleo"):
        assert name not in page
        assert User.objects.get(username=name).worker_code not in page


def test_it_is_no_longer_told_once_the_lead_or_the_expert_takes_it_back(nq, item, lena):
    before = read("ben")
    decide(item, "ada")
    tell(nq, lena)
    tell(nq, lena, told=False)
    assert read("ben") == before
    tell(nq, lena)
    erin = User.objects.get(username="erin")
    deciding.take_back(deciding.task_of(item, "annotate"), by=erin, reason="A slip.", now=NOON)
    assert read("ben") == before
    assert Event.objects.filter(kind="project.changed").count() == 3


def test_somebody_whose_own_answer_is_not_in_reads_nothing(nq, item, lena):
    decide(item, "ada")
    tell(nq, lena)
    zoe = Worker(join(nq, "zoe"), nq)
    zoe.claim()
    assert REASON not in read("zoe")
    assert REASON not in html.unescape(browser(zoe.user).get(reverse("home")).content.decode())


def test_home_tells_it_for_seven_days_and_leads_to_what_was_decided(nq, item, lena):
    tell(nq, lena)
    worker = Worker(User.objects.get(username="ben"), nq)
    worker.finish_bad()
    assert "decided" not in at_home("ben")
    decide(item, "ada", now=clock.now() - TOLD + timedelta(minutes=1))
    for home in (at_home("ada"), mine := at_home("ben")):
        assert "An expert has decided about an answer of yours" in home
    assert f'href="{reverse("finished")}?decided=1"' in mine
    assert REASON not in mine
    page = read("ben", "?decided=1")
    assert page.count("An expert has decided for another answer") == 1
    assert page.count('class="card mt-4"') == 1
    assert read("ben").count('class="card mt-4"') == 2


def test_after_seven_days_home_tells_it_no_more(nq, item, lena):
    tell(nq, lena)
    decide(item, "ada", now=clock.now() - TOLD)
    assert "An expert has decided" not in at_home("ben")
    assert read("ben", "?decided=1").count("An expert has decided for another answer") == 1


def test_home_says_nothing_of_it_where_nobody_is_told_or_it_was_taken_back(nq, item, lena):
    erin, task = join(nq, "erin", Role.EXPERT), deciding.task_of(item, "annotate")
    decide(item, "ada", now=clock.now())
    assert "has decided" not in at_home("ben")
    tell(nq, lena)
    assert "has decided" in at_home("ben")
    deciding.take_back(task, by=erin, reason="A slip.", now=clock.now())
    assert "has decided" not in at_home("ben")
    assert "Nothing to show here" in read("ben", "?decided=1")


def test_only_a_lead_decides_whether_people_are_told(nq, item):
    decide(item, "ada")
    for name in ("ada", "erin"):
        user = User.objects.get(username=name)
        assert browser(user).post(reverse("tell_decisions", args=[nq.slug]), {"tell": 1}).status_code == 404
    assert not projects.project_config(nq).tells_decisions
