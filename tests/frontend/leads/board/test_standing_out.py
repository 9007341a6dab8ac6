"""A board names the person who stands out, with the interval, and leads to their row; nobody else reads it."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tasks.measuring import agreement
from tests.boards import bring_up_to_date
from tests.disagreeing import browser
from tests.judged import judged, with_slips
from tests.people import NOON, join


@pytest.fixture
def people(nq):
    return [join(nq, name) for name in ("ann", "ben", "cleo", "dora")]


@pytest.fixture
def board(nq, lena):
    """The board after questions were judged by people who are wrong in these shares of them."""

    def shown(slips, *, items=80, **query):
        judged(nq, with_slips(slips, items=items))
        bring_up_to_date(nq)
        agreement.keep(nq, now=NOON)
        return browser(lena).get(reverse("project", args=[nq.slug]), query)

    return shown


def words(shown):
    return " ".join(shown.content.decode().split())


def test_a_careless_annotator_is_named_with_the_interval_and_a_link_to_their_row(board, nq, lena, people):
    shown = words(board({**dict.fromkeys(people, 0.02), people[2]: 0.4}))
    code = people[2].worker_code
    assert f"<b>One person stands out: {code}</b>" in shown
    assert re.search(r"agreement 0\.\d\d \[0\.\d\d–0\.\d\d\] with the others, against 0\.9\d of the others\.", shown)
    link = re.search(r'href="([^"]+)"><b>One person stands out', shown)[1].replace("&amp;", "&")
    assert link.startswith(reverse("agreement", args=[nq.slug]))
    address, _hash, row = link.partition("#")
    assert f'<tr id="{row}">' in words(browser(lena).get(address))
    assert code in row


def test_where_people_are_alike_nobody_is_named(board, people):
    assert "stands out" not in words(board(dict.fromkeys(people, 0.1)))


def test_with_few_questions_nobody_is_named(board, people):
    shown = words(board({**dict.fromkeys(people, 0.02), people[2]: 0.5}, items=12))
    assert "stands out" not in shown
    assert "too few for an interval" in shown


def test_the_board_of_a_part_does_not_name_whom_the_whole_does(board, people):
    assert "stands out" not in words(board({**dict.fromkeys(people, 0.02), people[2]: 0.4}, split="train"))


def test_annotators_and_experts_are_not_told(board, nq, people, erin):
    board({**dict.fromkeys(people, 0.02), people[2]: 0.4})
    for person in (*people, erin):
        client = browser(person)
        assert client.get(reverse("project", args=[nq.slug])).status_code == 404
        assert client.get(reverse("agreement", args=[nq.slug])).status_code == 404
        assert "stands out" not in words(client.get(reverse("home")))
