"""A lead's page of agreement: words for what is empty or undefined, and intervals of enough items."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Project, Role, User
from frontend.leads.agreement.asked import AgreementQuery
from frontend.leads.estimates import hundredths
from tasks.measuring import agreement
from tests import builders
from tests.builders import Worker, open_with, questions
from tests.disagreeing import browser
from tests.frontend.leads.agreed import text, value
from tests.judged import judged, with_slips
from tests.people import NOON, join

NAMES = ("alice", "bob", "carol")


@pytest.fixture(scope="module")
def opened_once(shared_rows, tmp_path_factory):
    """Eight questions for three people each, who have answered none, and their lead."""
    made = builders.project("lights", activities={"annotate": {"overlap": {"train": 3, "dev": 3}, "draw": "in_order"}})
    folder = tmp_path_factory.mktemp("lights")
    open_with(made, folder, questions(6))
    open_with(made, folder, questions(2, split="dev", start=50))
    for name in NAMES:
        join(made, name)
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(opened_once, db):
    return Project.objects.get()


@pytest.fixture
def people(lights):
    return {name: Worker(User.objects.get(username=name), lights) for name in NAMES}


@pytest.fixture
def site(lights):
    return browser(User.objects.get(username="lena"))


@pytest.fixture
def page(site, lights):
    return lambda route="agreement", **query: site.get(reverse(route, args=[lights.slug]), query)


def test_before_anything_is_measured_the_page_says_when_it_will_be(page, people):
    shown = page()
    assert shown.status_code == 200
    assert "Nothing measured yet" in text(shown)
    assert page("agreement_csv").status_code == page("agreement_svg").status_code == 404


def test_with_nothing_to_compare_the_page_says_so(page, lights, people):
    people["alice"].finish_bad()
    agreement.keep(lights, now=NOON)
    shown = page()
    assert "no two annotations to compare yet" in text(shown)
    assert "finished, but nobody else has annotated the same item" in text(shown)
    assert page("agreement_svg").status_code == 404


def test_if_everybody_says_the_same_agreement_beyond_chance_is_undefined(page, lights, people):
    for worker in people.values():
        worker.finish_bad()
        worker.finish_bad()
    agreement.keep(lights, now=NOON)
    shown = page(measure="question")
    assert "everybody always said the same" in text(shown)
    assert value(shown.context["found"], "question", "observed").value == 1


def test_with_enough_items_every_number_has_its_interval(page, lights, people):
    judged(lights, with_slips({worker.user: 0.2 for worker in people.values()}, items=60))
    agreement.keep(lights, now=NOON)
    shown = page(measure="question")
    found = shown.context["found"]
    for number in found.groups[0].numbers:
        assert number.estimate.low < number.estimate.value < number.estimate.high
        assert f"{hundredths(number.estimate.low)} – {hundredths(number.estimate.high)}" in text(shown)
    assert "too few" not in text(shown)
    assert all(person.agrees.estimate.n == 60 for person in found.people)


def test_a_negative_number_has_a_real_minus_sign(page, lights, people):
    for number in range(4):
        for place, name in enumerate(("alice", "bob")):
            worker = people[name]
            (worker.finish_bad if number % 2 == place else worker.finish_without_answer)()
    agreement.keep(lights, now=NOON)
    shown = page(measure="question")
    alpha = value(shown.context["found"], "question", "alpha").value
    assert alpha < 0
    assert f"−{-alpha:.2f}" in text(shown)
    assert f"-{-alpha:.2f}" not in text(shown)


def test_a_query_is_read_back_as_it_was_written():
    asked = AgreementQuery(activity="annotate", split="dev & test", since=NOON.date())
    client_query = dict(pair.split("=") for pair in asked.query.split("&"))
    assert client_query == {"activity": "annotate", "split": "dev+%26+test", "since": "2026-11-20"}


def test_a_project_in_which_nothing_was_annotated_says_when_agreement_is_measured(lights, page):
    agreement.keep(lights, now=NOON)
    assert "Nothing measured yet" in text(page())
