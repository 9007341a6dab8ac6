"""A board names the person who stands out, with the interval, and leads to their row; nobody else reads it."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotation.models import Project, Role, User
from tasks.measuring import agreement
from tests.boards import bring_up_to_date
from tests.builders import project
from tests.disagreeing import browser
from tests.judged import judged, with_slips
from tests.people import NOON, join

NAMES = ("ann", "ben", "cleo", "dora")


def judged_by_four(slug, *slips, items):
    """A project whose questions were judged by four people who are wrong in these shares of them; lena leads."""
    made = project(slug)
    people = [join(made, name) for name in NAMES]
    judged(made, with_slips(dict(zip(people, slips, strict=True)), items=items))
    bring_up_to_date(made)
    agreement.keep(made, now=NOON)
    join(made, "lena", Role.LEAD)


@pytest.fixture(scope="module")
def careless_once(shared_rows):
    judged_by_four("lights", 0.02, 0.02, 0.4, 0.02, items=80)


@pytest.fixture
def people(careless_once, db):
    """Four people, of whom the third is careless."""
    return [User.objects.get(username=name) for name in NAMES]


def board(slug="lights", **query):
    return browser(User.objects.get(username="lena")).get(reverse("project", args=[slug]), query)


def words(shown):
    return " ".join(shown.content.decode().split())


def test_a_careless_annotator_is_named_with_the_interval_and_a_link_to_their_row(people):
    shown = words(board())
    code = people[2].worker_code
    assert f"<b>One person stands out: {code}</b>" in shown
    assert re.search(r"agreement 0\.\d\d \[0\.\d\d–0\.\d\d\] with the others, against 0\.9\d of the others\.", shown)
    link = re.search(r'href="([^"]+)"><b>One person stands out', shown)[1].replace("&amp;", "&")
    assert link.startswith(reverse("agreement", args=["lights"]))
    address, _hash, row = link.partition("#")
    assert f'<tr id="{row}">' in words(browser(User.objects.get(username="lena")).get(address))
    assert code in row


def test_where_people_are_alike_nobody_is_named(db):
    judged_by_four("alike", *[0.1] * 4, items=60)
    assert "stands out" not in words(board("alike"))


def test_with_few_questions_nobody_is_named(db):
    judged_by_four("few", 0.02, 0.02, 0.5, 0.02, items=12)
    shown = words(board("few"))
    assert "stands out" not in shown
    assert "too few for an interval" in shown


def test_the_board_of_a_part_does_not_name_whom_the_whole_does(people):
    assert "stands out" not in words(board(split="train"))


def test_annotators_and_experts_are_not_told(people):
    erin = join(Project.objects.get(), "erin", Role.EXPERT)
    for person in (people[0], people[2], erin):
        client = browser(person)
        assert client.get(reverse("project", args=["lights"])).status_code == 404
        assert client.get(reverse("agreement", args=["lights"])).status_code == 404
        assert "stands out" not in words(client.get(reverse("home")))
