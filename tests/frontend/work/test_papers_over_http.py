"""Papers over HTTP: search and its tokens, skipped papers, and what a writer can't reach."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse

from annotation import clock, registry
from annotation.models import Event, Project
from frontend.bots.bot import Bot
from tasks.models import Assignment
from tests.builders import open_papers
from tests.people import join

TOKEN = re.compile(r'name="item" value="([^"]+)"')


@pytest.fixture(scope="module")
def papers_once(shared_rows) -> int:
    return open_papers(activities={"ask": {"overlap": {"train": 3}}}).pk


@pytest.fixture
def papers(papers_once, db):
    return Project.objects.get(pk=papers_once)


@pytest.fixture
def wendy(papers):
    return Bot(join(papers, "wendy"), Random(1))


@pytest.fixture
def adam(papers):
    return Bot(join(papers, "adam"), Random(2))


def results(bot, papers, query):
    return bot.client.get(reverse("search", args=[papers.slug, "ask"]), {"q": query}).content.decode()


def opened(bot, papers, token):
    return bot.client.post(reverse("claim", args=[papers.slug, "ask"]), {"item": token})


def test_a_writer_finds_a_paper_and_gets_the_one_they_chose(papers, wendy):
    shown = results(wendy, papers, "bus timetables")
    page = opened(wendy, papers, TOKEN.search(shown)[1])["Location"]
    assert "The Bus That Does Not Come" in wendy.client.get(page).content.decode()


def test_an_empty_query_shows_a_random_selection_with_its_seed_in_the_url(papers, wendy):
    url = reverse("search", args=[papers.slug, "ask"])
    first = wendy.client.get(url)
    assert "?seed=" in first["Location"]
    one, two = (TOKEN.findall(wendy.client.get(first["Location"]).content.decode()) for _ in range(2))
    assert len(one) == len(two) > 5


def test_the_body_of_a_paper_cannot_be_searched(papers, wendy):
    assert "Nothing found for these words" in results(wendy, papers, "BIBREF0")


def test_a_paper_that_this_person_was_given_before_is_left_out(papers, wendy):
    token = TOKEN.search(results(wendy, papers, "bus timetables"))[1]
    page = opened(wendy, papers, token)["Location"]
    while page is not None:
        page = wendy.answer(page)
    assert "Nothing found for these words" in results(wendy, papers, "bus timetables")


@pytest.mark.parametrize("token", ["1", "WzEsMV0:x:y", "../1", "x\x00"])
def test_a_forged_token_is_404(papers, wendy, token):
    assert opened(wendy, papers, token).status_code == 404


def test_a_token_is_worthless_to_anybody_else(papers, wendy):
    token = TOKEN.search(results(wendy, papers, "bus"))[1]
    assert opened(Bot(join(papers, "walter"), Random(3)), papers, token).status_code == 404


def test_answerers_are_told_why_they_may_not_ask(papers, wendy, adam):
    wendy.finish_one(papers, "ask")
    assert adam.claim(papers, "answer") is not None
    response = adam.client.get(reverse("search", args=[papers.slug, "ask"]))
    assert response.status_code == 403


def test_the_key_that_skips_while_asking_skips_the_paper(papers, wendy):
    page = opened(wendy, papers, TOKEN.search(results(wendy, papers, "bus timetables"))[1])["Location"]
    assert '<i data-k="key-skip">skip this paper</i>' in wendy.client.get(page).content.decode()


def home(bot):
    return bot.client.get(reverse("home")).content.decode()


def test_finish_and_stop_says_whether_other_work_is_held(papers, wendy):
    others = open_papers("others")
    join(others, "wendy")

    def stopped(project):
        sent_to, fields = wendy.answered(wendy.choose(project, registry.get("qasper").activity("ask")))
        wendy.client.post(sent_to, fields | {"then": "stop"})
        return home(wendy)

    assert "Sent. Nothing else is held for you." in stopped(others)
    opened(wendy, papers, TOKEN.search(results(wendy, papers, "bus timetables"))[1])
    shown = stopped(others)
    assert "Nothing else is held" not in shown
    assert "Sent. What else you have open is listed below." in shown


def skipped(bot, papers, query):
    """A paper that was found by these words and skipped: its page, and the page that comes next."""
    page = opened(bot, papers, TOKEN.search(results(bot, papers, query))[1])["Location"]
    bot.post(page + "skip/", {"reason": "topic"})
    return page, bot.client.get(reverse("search", args=[papers.slug, "ask"]), {"q": query}).content.decode()


def test_skipping_a_paper_can_be_undone_for_10_s_from_the_search_page(papers, wendy):
    page, landed = skipped(wendy, papers, "bus timetables")
    assert f'action="{page}unskip/"' in landed
    assert wendy.client.post(page + "unskip/")["Location"] == page
    assert wendy.client.get(page).status_code == 200
    assert "unskip" not in results(wendy, papers, "bus timetables")


def test_after_10_s_the_search_page_offers_no_undo(papers, wendy):
    page, _landed = skipped(wendy, papers, "bus timetables")
    Assignment.objects.update(closed_at=clock.now() - timedelta(seconds=10))
    assert "unskip" not in results(wendy, papers, "bus timetables")
    assert wendy.client.post(page + "unskip/").status_code == 409


def test_after_many_skipped_papers_the_search_page_asks_what_is_wrong_and_never_blocks(papers, wendy):
    for query in ("bus timetables", "recipe", "translation", "speech"):
        assert "Is something wrong with them?" not in results(wendy, papers, query)
        page, landed = skipped(wendy, papers, query)
    assert "Is something wrong with them?" in landed
    asked = wendy.client.post(page + "explain/", {"text": "None is about birds."})
    assert asked["Location"] == reverse("search", args=[papers.slug, "ask"])
    assert Event.objects.get(kind="skips.explained").data["text"] == "None is about birds."
    assert wendy.claim(papers, "ask") is not None
