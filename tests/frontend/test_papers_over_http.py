"""Papers over HTTP: search and its tokens, pictures, blocks, and what a writer can't have."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from django.urls import reverse

from annotation.protocols.qasper import demo
from frontend.bots import Bot
from tasks import queues
from tasks.models import Assignment
from tests.builders import load, project
from tests.people import NOON, join

TOKEN = re.compile(r'name="item" value="([^"]+)"')
PNG = b"\x89PNG"


@pytest.fixture
def papers(db):
    found = project("papers", "qasper", activities={"ask": {"overlap": {"train": 3}}})
    load(found, Path(demo.PAPERS), split="train")
    for activity in ("ask", "answer"):
        queues.open_queue(found, activity, by=None, now=NOON)
    return found


@pytest.fixture
def wendy(papers):
    return Bot(join(papers, "wendy"), Random(1), demo.answer_sample)


@pytest.fixture
def adam(papers):
    return Bot(join(papers, "adam"), Random(2), demo.answer_sample)


def results(bot, papers, query):
    return bot.client.get(reverse("search", args=[papers.slug, "ask"]), {"q": query}).content.decode()


def opened(bot, papers, token):
    return bot.client.post(reverse("claim", args=[papers.slug, "ask"]), {"item": token})


def test_a_writer_finds_a_paper_and_gets_the_one_they_chose(papers, wendy):
    shown = results(wendy, papers, "bus timetables")
    page = opened(wendy, papers, TOKEN.search(shown)[1])["Location"]
    assert "The Bus That Does Not Come" in wendy.client.get(page).content.decode()


def test_an_empty_query_shows_some_at_random_by_a_seed_in_the_address(papers, wendy):
    url = reverse("search", args=[papers.slug, "ask"])
    first = wendy.client.get(url)
    assert "?seed=" in first["Location"]
    one, two = (TOKEN.findall(wendy.client.get(first["Location"]).content.decode()) for _ in range(2))
    assert len(one) == len(two) > 5


def test_the_body_of_a_paper_can_not_be_searched(papers, wendy):
    assert "Nothing found for these words" in results(wendy, papers, "BIBREF0")


def test_a_paper_that_this_person_was_given_before_is_left_out(papers, wendy):
    token = TOKEN.search(results(wendy, papers, "bus timetables"))[1]
    page = opened(wendy, papers, token)["Location"]
    while page is not None:
        page = wendy.answer(page)
    assert "Nothing found for these words" in results(wendy, papers, "bus timetables")


@pytest.mark.parametrize("token", ["1", "WzEsMV0:x:y", "../1", "\x00"])
def test_a_forged_token_is_404(papers, wendy, token):
    assert opened(wendy, papers, token).status_code == 404


def test_a_token_is_worth_nothing_in_other_hands(papers, wendy):
    token = TOKEN.search(results(wendy, papers, "bus"))[1]
    assert opened(Bot(join(papers, "walter"), Random(3)), papers, token).status_code == 404


def test_who_answers_is_told_why_they_may_not_ask(papers, wendy, adam):
    wendy.finish_one(papers, "ask")
    assert adam.claim(papers, "answer") is not None
    response = adam.client.get(reverse("search", args=[papers.slug, "ask"]))
    assert response.status_code == 403


def claimed_with_pictures(bot, papers, writer):
    """The address of work on a paper with pictures."""
    token = TOKEN.search(results(writer, papers, "recipe cooking"))[1]
    page = opened(writer, papers, token)["Location"]
    while page is not None:
        page = writer.answer(page)
    return bot.claim(papers, "answer")


def test_an_answerer_sees_the_pictures_of_the_paper_and_nothing_else_by_that_address(papers, wendy, adam):
    page = claimed_with_pictures(adam, papers, wendy)
    shown = adam.client.get(page).content.decode()
    pictures = re.findall(r'<img src="([^"]+)"', shown)
    assert len(set(pictures)) == 3
    first = adam.client.get(pictures[0])
    assert (first.status_code, first["Content-Type"]) == (200, "image/png")
    assert first.content.startswith(PNG)
    assert first["X-Content-Type-Options"] == "nosniff"
    base = pictures[0].rsplit("/", 2)[0]
    assert [adam.client.get(f"{base}/{place}/").status_code for place in (0, 99)] == [404, 404]
    assert wendy.client.get(pictures[0]).status_code == 404


def test_a_finished_block_leads_home_and_its_work_is_closed(papers, wendy, adam):
    page = claimed_with_pictures(adam, papers, wendy)
    uuids = list(Assignment.objects.filter(annotator=adam.user).values_list("uuid", flat=True))
    while adam.finish_one(papers, "answer") and Assignment.objects.filter(annotator=adam.user, state="leased").exists():
        pass
    assert len(uuids) >= 2
    assert adam.client.get(page)["Location"] == reverse("home")
