"""The list of reports: by reason and stage through the address, each with a number that leads to what it counts."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation.models import Event, Flag, Item, Project, Role, User
from annotation.models.case import FlagReason
from frontend.leads.items import reports as pages
from tasks.engine import claiming
from tasks.items import reports
from tests.builders import GOOD, Worker, open_with, project, questions, reload
from tests.disagreeing import browser
from tests.people import NOON, join

PAGE = reverse("reports", args=["lights"])


@pytest.fixture(scope="module")
def reported_once(shared_rows, tmp_path_factory):
    """Three people report questions: two the first one, for different reasons and at different stages, one another."""
    made = project(activities={"annotate": {"overlap": {"train": 4}, "draw": "in_order"}})
    open_with(made, tmp_path_factory.mktemp("lights"), questions(4))
    join(made, "lena", Role.LEAD)
    first = report(made, "ada", "broken")
    assert report(made, "ben", "personal", after_question=True) == first
    return first.pk, report(made, "cleo", "broken", after_question=True).pk


@pytest.fixture
def three(reported_once, db):
    """The item that two people have reported, and the other one."""
    return [Item.objects.get(pk=key) for key in reported_once]


@pytest.fixture
def nq(reported_once, db):
    return Project.objects.get()


@pytest.fixture
def lead(reported_once, db):
    return browser(User.objects.get(username="lena"))


def report(nq, name, reason, *, after_question=False):
    """The person's next item, reported at its first stage, or at the second."""
    worker = Worker(join(nq, name), nq)
    mine = worker.claim()
    if after_question:
        worker.commit(mine, "question", GOOD)
    reports.report(reload(mine), by=worker.user, reason=FlagReason(reason), text="", now=NOON)
    return mine.task.item


def shown(lead, **query):
    return lead.get(PAGE, query).context["listed"]


def items(lead, **query):
    return [row["item"] for row in shown(lead, **query).page]


def numbers(choices):
    return {one.title: one.n for one in choices}


def test_all_reported_items_are_listed_most_reported_first(three, lead):
    first, other = three
    assert items(lead) == [first.pk, other.pk]
    [row, _other] = shown(lead).page
    assert (row["people"], row["frozen"], row["stages"]) == (2, True, ["Question", "Long answer"])


def test_they_are_chosen_by_reason_and_stage(three, lead):
    first, other = three
    assert items(lead, reason="personal") == [first.pk]
    assert items(lead, reason="broken") == [first.pk, other.pk]
    assert items(lead, stage="annotate.long_answer") == [first.pk, other.pk]
    assert items(lead, stage="annotate.question") == [first.pk]
    assert items(lead, reason="broken", stage="annotate.long_answer") == [other.pk]


def test_every_number_leads_to_as_many_items(three, lead):
    for query in ({}, {"reason": "broken", "stage": "annotate.question"}):
        found = shown(lead, **query)
        assert len(found.reasons) > 1
        for one in [*found.reasons, *found.stages]:
            assert lead.get(PAGE + one.address).context["listed"].page.paginator.count == one.n


def test_numbers_of_reasons_are_those_within_the_stage(three, lead):
    assert list(numbers(shown(lead).reasons).values()) == [2, 2, 1]
    assert list(numbers(shown(lead, stage="annotate.question").reasons).values()) == [1, 1]


def test_what_the_project_does_not_know_counts_as_not_said(three, lead):
    for query in ({"reason": "x"}, {"stage": "annotate"}, {"stage": "x.y"}, {"page": "x"}):
        assert len(items(lead, **query)) == 2, query


def test_settling_a_report_leads_back_to_the_same_part_of_the_list(three, lead):
    first, _other = three
    form = {"back": "reports", "reason": "personal", "stage": ""}
    answer = lead.post(reverse("unfreeze", args=["lights", first.pk]), form)
    assert answer["Location"] == f"{PAGE}?reason=personal"
    page = lead.get(answer["Location"]).content.decode()
    assert "Nothing is reported for this any more." in page


def test_the_board_and_home_lead_to_the_list_by_their_number(three, lead):
    for page in (reverse("project", args=["lights"]), reverse("home")):
        assert re.search(rf'href="{PAGE}">\s*(<span class="badge bad">)?\s*2', lead.get(page).content.decode())


def test_a_page_that_cannot_be_shown_is_a_reason_of_its_own(nq, three, lead):
    first, other = three
    third = nq.items.order_by("pk")[2]
    mine = claiming.claim(nq, "annotate", by=join(nq, "dora"), now=NOON, item=third)
    reports.hold_back(mine, why="no source", now=NOON)
    found = shown(lead, reason=pages.NOT_SHOWN)
    assert [row["item"] for row in found.page] == [third.pk]
    assert numbers(found.reasons)["It can't be shown"] == 1
    assert items(lead) == [first.pk, other.pk, third.pk]
    assert items(lead, stage="annotate.question") == [first.pk]


def test_a_long_list_has_pages_that_keep_the_filter(monkeypatch, three, lead):
    monkeypatch.setattr(pages, "PER_PAGE", 1)
    page = html.unescape(lead.get(PAGE, {"reason": "broken"}).content.decode())
    assert "?reason=broken&page=2" in page
    assert items(lead, reason="broken", page="2") == [three[1].pk]


def test_the_stage_of_a_report_is_kept_and_shown_with_the_item(three, lead):
    first, _other = three
    assert list(Flag.objects.order_by("pk").values_list("stage", flat=True)) == [
        "question",
        "long_answer",
        "long_answer",
    ]
    assert Event.objects.filter(kind="item.reported").last().data["stage"] == "long_answer"
    page = lead.get(reverse("item", args=["lights", first.pk])).content.decode()
    assert "at: Long answer" in page


def test_without_reports_the_page_says_what_would_be_there(db):
    lead = browser(join(project("empty"), "lena", Role.LEAD))
    assert "Nothing is reported." in lead.get(reverse("reports", args=["empty"])).content.decode()


def test_work_that_was_reported_before_stages_were_recorded_is_listed(three, lead):
    Flag.objects.update(stage="")
    assert len(items(lead)) == 2
