"""What writers said about themselves is prefilled the next time, and can be changed."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.urls import resolve

from annotation.models import Item
from frontend.bots.bot import Bot
from tests.builders import open_papers
from tests.people import join

SELECTED = re.compile(r'<option value="(\w*)"\s+selected>')


@pytest.fixture
def papers(db):
    return open_papers(opened=("ask",), activities={"ask": {"overlap": {"train": 3}}})


def writer(papers, name):
    return Bot(join(papers, name), Random(1))


def ask(bot, papers, background):
    page = bot.claim(papers, "ask")
    payload = {
        "nlp_background": background, "topic_background": "research", "paper_read": "no", "search_query": "",
        "questions": [{"text": f"Who paid for the work of {background}?", "answerable_from_abstract": False}],
    }  # fmt: skip
    bot.client.post(*bot.filled(page, resolve(page).kwargs["uuid"], "qasper", "questions", payload))


def offered(bot, papers):
    return SELECTED.findall(bot.client.get(bot.claim(papers, "ask")).content.decode())


def test_the_background_is_remembered_in_the_project_and_can_be_changed(papers):
    wendy, walter = writer(papers, "wendy"), writer(papers, "walter")
    assert offered(wendy, papers) == []
    ask(wendy, papers, "two")
    assert offered(wendy, papers) == ["two"]
    ask(wendy, papers, "five")
    assert offered(wendy, papers) == ["five"]
    assert offered(walter, papers) == []


def test_what_is_said_of_one_paper_is_not_remembered_for_the_next(papers):
    wendy = writer(papers, "wendy")
    ask(wendy, papers, "two")
    page = wendy.client.get(wendy.claim(papers, "ask")).content.decode()
    assert not re.search(r'name="topic_background" value="research"\s+checked', page)


def test_each_question_keeps_the_background_of_its_time(papers):
    wendy = writer(papers, "wendy")
    for background in ("two", "five"):
        ask(wendy, papers, background)
    made = Item.objects.filter(kind="question").order_by("pk")
    assert [item.payload["nlp_background"] for item in made] == ["two", "five"]
