"""The people concerned read how a dispute was decided where a lead wants it, and never before their own work is in."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation import projects
from annotation.models import Annotation, Event, Role, User
from tasks.disputes import deciding, who
from tests.builders import Worker
from tests.disagreeing import BAD, NOTHING, answered, box, browser, lights
from tests.people import NOON, join

REASON = "The paragraph names the tower."


@pytest.fixture
def nq(db, tmp_path):
    return lights(tmp_path)


@pytest.fixture
def lena(nq):
    return join(nq, "lena", Role.LEAD)


@pytest.fixture
def item(nq):
    return answered(nq, box(1), NOTHING, BAD, names=["ada", "ben", "cleo"])


def decide(item, author: str) -> None:
    erin = join(item.project, "erin", Role.EXPERT)
    who.begin(erin, item.project, now=NOON)
    chosen = Annotation.objects.get(item=item, author__username=author).uuid
    deciding.decide(deciding.task_of(item, "annotate"), chosen, by=erin, reason=REASON, now=NOON)


def read(name: str) -> str:
    user = User.objects.get(username=name)
    page = html.unescape(browser(user).get(reverse("finished")).content.decode())
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def tell(nq, lena, *, told=True) -> None:
    assert browser(lena).post(reverse("tell_decisions", args=[nq.slug]), {"tell": int(told)}).status_code == 302


def test_by_default_nobody_is_told(item):
    before = [read(name) for name in ("ada", "ben", "cleo")]
    decide(item, "ada")
    assert [read(name) for name in ("ada", "ben", "cleo")] == before


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


def test_only_a_lead_decides_whether_people_are_told(nq, item):
    decide(item, "ada")
    for name in ("ada", "erin"):
        user = User.objects.get(username=name)
        assert browser(user).post(reverse("tell_decisions", args=[nq.slug]), {"tell": 1}).status_code == 404
    assert not projects.project_config(nq).tells_decisions
