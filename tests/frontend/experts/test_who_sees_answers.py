"""An expert sees everybody's answers only once they have given up being given work; never those beside their own."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.errors import NotEligible, WrongMove
from annotation.models import Event, Item, Project, Role, User
from tasks.disputes import who
from tasks.engine import claiming, skip_and_return
from tests.builders import Worker, reload
from tests.disagreeing import answered, box, browser, lights
from tests.people import NOON, join

ANNOTATE = "annotate"


@pytest.fixture(scope="module")
def answered_once(shared_rows, tmp_path_factory):
    """The first of two questions has three answers; erin is an expert who has seen none."""
    made = lights(tmp_path_factory.mktemp("lights"))
    join(made, "erin", Role.EXPERT)
    return answered(made, box(1), box(1), box(2)).pk


@pytest.fixture
def nq(answered_once, db):
    return Project.objects.get()


@pytest.fixture
def item(answered_once, db):
    return Item.objects.select_related("project").get(pk=answered_once)


@pytest.fixture
def erin(answered_once, db):
    return User.objects.get(username="erin")


def addresses(item) -> list[str]:
    slug = item.project.slug
    return [reverse("compared", args=[slug, ANNOTATE]), reverse("compare", args=[slug, ANNOTATE, item.pk])]


def statuses(user, item) -> list[int]:
    return [browser(user).get(address).status_code for address in addresses(item)]


def test_annotators_see_nothing(nq, item):
    assert statuses(join(nq, "annotator-0"), item) == [404, 404]
    assert browser(join(nq, "annotator-0")).get(reverse("disputes", args=[nq.slug])).status_code == 404


def test_an_expert_reads_first_what_follows_and_sees_answers_once_they_have_begun(item, erin):
    assert statuses(erin, item) == [404, 404]
    client, home = browser(erin), reverse("disputes", args=[item.project.slug])
    assert "From then on you are given no work in this project" in client.get(home).content.decode()
    assert client.post(reverse("see_answers", args=[item.project.slug])).status_code == 302
    assert statuses(erin, item) == [200, 200]
    assert "See the answers" not in client.get(home).content.decode()


def test_an_expert_who_sees_answers_is_given_no_work(nq, item, erin):
    assert Worker(erin, nq).claim()
    skip_and_return.give_back(reload(erin.assignments.get()), by=erin, now=NOON)
    who.begin(erin, nq, now=NOON)
    with pytest.raises(NotEligible) as refused:
        claiming.claim(nq, ANNOTATE, by=erin, now=NOON)
    assert refused.value.reason == "sees_answers"
    shown = browser(erin).post(reverse("claim", args=[nq.slug, ANNOTATE]))
    assert shown.status_code == 403
    assert "As an expert or a lead you have seen everybody’s answers here" in shown.content.decode()


def test_an_expert_who_holds_work_finishes_it_first(nq, item, erin):
    Worker(erin, nq).claim()
    with pytest.raises(WrongMove):
        who.begin(erin, nq, now=NOON)
    assert browser(erin).post(reverse("see_answers", args=[nq.slug])).status_code == 409
    assert statuses(erin, item) == [404, 404]


def test_an_expert_never_sees_the_answers_to_what_they_have_worked_on(nq, item, erin):
    other = answered(nq, box(1), box(2), names=["erin", "zoe"])
    erin.refresh_from_db()
    who.begin(erin, nq, now=NOON)
    assert statuses(erin, item) == [200, 200]
    assert statuses(erin, other) == [200, 404]


def test_not_even_if_they_only_returned_it(nq, item, erin):
    held = Worker(erin, nq).claim()
    skip_and_return.give_back(reload(held), by=erin, now=NOON)
    who.begin(erin, nq, now=NOON)
    assert statuses(erin, held.task.item) == [200, 404]


def test_beginning_twice_is_one_beginning(nq, erin):
    who.begin(erin, nq, now=NOON)
    who.begin(erin, nq, now=NOON)
    assert Event.objects.filter(kind="member.sees_answers").count() == 1
