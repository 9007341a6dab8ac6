"""The head of a project's pages: tabs with what waits behind them, and the way to the other projects of a lead."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from tasks.models.states import TaskState
from tests.builders import load, project, questions, write_lines
from tests.disagreeing import browser
from tests.factories.record import FlagFactory
from tests.factories.work import QueueFactory
from tests.people import join

OPEN = re.compile(r'class="btn btn-primary"\s+href="/projects/(\w+)/"')
"""The button that opens a project, where it is what one would do first."""


class Head(HTMLParser):
    """The tabs by their words, and the addresses of the menu of projects by title."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tabs: list[str] = []
        self.others: dict[str, str] = {}
        self.at, self.address = "", ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if known.get("class") == "tabs":
            self.at = "tabs"
        elif known.get("id") == "projects":
            self.at = "projects"
        elif tag == "a" and self.at:
            self.address = known["href"]
            if self.at == "tabs":
                self.tabs.append("")

    def handle_endtag(self, tag):
        if tag in ("nav", "ul"):
            self.at = ""
        elif tag == "a":
            self.address = ""

    def handle_data(self, data):
        if not self.address or not data.strip():
            return
        if self.at == "tabs":
            self.tabs[-1] = f"{self.tabs[-1]} {data.strip()}".strip()
        elif self.at == "projects":
            self.others[data.strip()] = self.address


def head(lead, name: str, slug: str) -> Head:
    return Head(lead.get(reverse(name, args=[slug])).content.decode())


@pytest.fixture
def lights(db):
    return project("lights")


@pytest.fixture
def lena(lights):
    return join(lights, "lena", "lead")


@pytest.fixture
def lead(lena):
    return browser(lena)


def test_a_tab_says_how_much_waits_for_a_lead(lead, lights, tmp_path):
    assert {"Board", "Disputes"} <= set(head(lead, "items", "lights").tabs)
    load(lights, write_lines(tmp_path / "lights.jsonl", questions(3)))
    items, noor = list(lights.items.all()), join(lights, "noor")
    queue = QueueFactory(project=lights)
    queue.tasks.filter(item__in=items[:2]).update(state=TaskState.DISPUTED)
    FlagFactory(item=items[2], author=noor)
    assert {"Board 1 to see to", "Disputes 2 to see to"} <= set(head(lead, "items", "lights").tabs)


def test_from_a_page_a_lead_goes_to_the_same_page_of_another_project_they_lead(lead, lena):
    assert head(lead, "items", "lights").others == {}
    for slug, role in (("foghorns", "lead"), ("buoys", "annotator")):
        join(project(slug), "lena", role)
    project("piers")
    assert head(lead, "items", "lights").others == {"Foghorns": reverse("items", args=["foghorns"])}


def test_from_a_page_that_belongs_to_a_tab_it_goes_to_that_tab(lead, lena):
    join(project("foghorns"), "lena", "lead")
    assert head(lead, "new_release", "lights").others == {"Foghorns": reverse("releases", args=["foghorns"])}


def test_the_page_of_an_error_has_the_tabs_unless_they_fail_too(lights, lena, monkeypatch):
    def fails(*_args, **_named):
        raise OverflowError("too large")

    def shown() -> tuple[int, bool]:
        answer = client.get(reverse("pay", args=[lights.slug]))
        return answer.status_code, reverse("queues", args=[lights.slug]) in answer.content.decode()

    client = Client(SERVER_NAME="127.0.0.1", raise_request_exception=False)
    client.force_login(lena)
    monkeypatch.setattr("frontend.views.pay.pay_table", fails)
    assert shown() == (500, True)
    monkeypatch.setattr("frontend.error_page.led_project", fails)
    assert shown() == (500, False)


def test_of_several_projects_none_is_the_first_choice_on_home(lead, lena):
    assert re.findall(OPEN, lead.get("/").content.decode()) == ["lights"]
    join(project("foghorns"), "lena", "lead")
    assert re.findall(OPEN, lead.get("/").content.decode()) == []


def test_who_makes_projects_finds_the_way_to_a_new_one_also_as_an_annotator(db, admin_user):
    join(project("lights"), admin_user.get_username(), "annotator")
    assert reverse("new_project") in browser(admin_user).get("/").content.decode()


def test_who_makes_projects_and_has_none_reads_of_projects_and_not_of_work(db, admin_user):
    shown = browser(admin_user).get("/").content.decode()
    assert "<h1>Your projects</h1>" in shown
    assert "what you have finished" not in shown
