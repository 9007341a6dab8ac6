"""Before a queue is open a lead reads how much was imported and what it will take, on home, board and settings."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.urls import reverse

from frontend.leads.estimates import hours_and_cost
from tasks.engine import queues
from tasks.setup import remaining
from tests.builders import load, project, questions, write_lines
from tests.disagreeing import browser
from tests.people import NOON, join
from tests.protocols.squad.builders import answer, article, file_v2, paragraph, question


@pytest.fixture
def lead(lena):
    return browser(lena)


def text(answer) -> str:
    page = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(" ".join(page.split()))


@pytest.fixture
def lights(nq, lena, tmp_path):
    """Three questions of train and two of dev, paid; no queue was ever opened."""
    nq.config |= {"pay": "10 EUR an hour"}
    nq.save()
    lines = [*questions(3), *questions(2, start=3, split="dev")]
    load(nq, write_lines(tmp_path / "q.jsonl", lines))
    return nq


def test_what_was_imported_is_counted_by_the_people_that_its_splits_want(lights):
    before = remaining.before_queues(lights)
    assert before.items == 5
    [part] = [one for one in before.estimate.parts if one.annotations]
    assert part.annotations == 3 * 1 + 2 * 5
    assert hours_and_cost(before.estimate) == "about 0.2 hours, 2 EUR"


def test_home_board_and_settings_say_so(lights, lead):
    home = text(lead.get(reverse("home")))
    assert "5 items, no queue open about 0.2 hours, 2 EUR" in home
    assert "0 of 0 done" not in home
    board = text(lead.get(reverse("project", args=[lights.slug])))
    assert "5 items, no queue open" in board
    assert "What was imported takes about 0.2 hours, 2 EUR." in board
    settings = text(lead.get(reverse("settings", args=[lights.slug])))
    assert "What it will take 5 items, no queue open" in settings
    assert "13 annotations of 80 s" in settings


def test_a_project_without_items_says_that_nothing_is_imported(nq, lead):
    assert "Nothing imported yet" in text(lead.get(reverse("home")))
    assert "Once something is, you read here what it will take." in text(lead.get(reverse("settings", args=[nq.slug])))


def test_once_a_queue_was_opened_its_own_numbers_count(lights, lead):
    queues.open_queue(lights, "annotate", by=None, now=NOON)
    assert remaining.before_queues(lights) is None
    assert "0 of 5 done" in text(lead.get(reverse("home")))


def test_imported_answers_count_where_they_are_and_nowhere_else(db, tmp_path):
    towers = project("towers", "squad", activities={"answer": {"overlap": {"dev": 2}}})
    join(towers, "lena", "lead")
    asked = [question(1), question(2, answer(), answer(), answer())]
    path = tmp_path / "dev-v2.0.json"
    path.write_text(json.dumps(file_v2(article(paragraph(*asked)))))
    load(towers, path, published=True)
    left = remaining.left_with_unopened(towers)
    have = towers.items.filter(kind="question").count()
    assert have == 2
    assert left["answer"] == 0
