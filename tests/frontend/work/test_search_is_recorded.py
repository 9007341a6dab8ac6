"""The record of searches: results shown, the one opened, and the query, which is released with each question."""

from __future__ import annotations

import html
import re
from random import Random
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from annotation.models import Event, Item, Project
from frontend.bots.bot import Bot
from tests.builders import open_papers
from tests.people import join

TOKEN = re.compile(r'name="item" value="([^"]+)"')


@pytest.fixture(scope="module")
def papers_once(shared_rows) -> int:
    return open_papers(opened=("ask",), activities={"ask": {"overlap": {"train": 3}}}).pk


@pytest.fixture
def papers(papers_once, db):
    return Project.objects.get(pk=papers_once)


@pytest.fixture
def wendy(papers):
    return Bot(join(papers, "wendy"), Random(1))


def search(bot, papers, **fields):
    return bot.client.get(reverse("search", args=[papers.slug, "ask"]), fields).content.decode()


def opened(bot, papers, token):
    return bot.client.post(reverse("claim", args=[papers.slug, "ask"]), {"item": token})["Location"]


def shown():
    return [event.data for event in Event.objects.filter(kind="search.shown").order_by("pk")]


def test_results_are_recorded_with_ranks_that_continue_over_the_pages(papers, wendy):
    for page in (1, 2):
        search(wendy, papers, seed="abc", page=page)
    one, two = shown()
    assert (one["query"], one["seed"], one["random"], one["activity"]) == ("", "abc", True, "ask")
    assert [rank for _, rank in one["results"]] == list(range(1, 11))
    assert two["results"][0][1] == 11
    assert one["page"] == 1
    assert two["page"] == 2
    assert Event.objects.filter(kind="search.shown", by=wendy.user.pk, project_id=papers.pk).count() == 2


def test_a_query_is_recorded_and_reaches_every_question_that_came_of_it(papers, wendy):
    token = TOKEN.search(search(wendy, papers, q="bus timetables"))[1]
    page = opened(wendy, papers, token)
    while page is not None:
        page = wendy.answer(page)
    assert (shown()[0]["query"], shown()[0]["random"]) == ("bus timetables", False)
    event = Event.objects.get(kind="search.opened")
    assert event.data == {"query": "bus timetables", "seed": "", "rank": 1, "page": 1}
    assert event.subject.startswith("assignment:")
    made = Item.objects.filter(project=papers, kind="question")
    assert made.exists()
    assert {item.payload["search_query"] for item in made} == {"bus timetables"}


def test_a_paper_found_at_random_has_no_query_whatever_the_browser_says(papers, wendy):
    token = TOKEN.search(search(wendy, papers, seed="abc"))[1]
    page = opened(wendy, papers, token)
    while page is not None:
        page = wendy.answer(page)  # the form that it fills in has a search_query
    assert Event.objects.get(kind="search.opened").data["seed"] == "abc"
    assert {item.payload.get("search_query", "") for item in Item.objects.filter(kind="question")} == {""}


def test_work_that_was_held_before_keeps_the_search_that_found_it(papers, wendy):
    text, again = search(wendy, papers, q="bus timetables"), search(wendy, papers, q="bus")
    page = opened(wendy, papers, TOKEN.search(text)[1])
    assert opened(wendy, papers, TOKEN.search(again)[1]) == page
    assert [event.data["query"] for event in Event.objects.filter(kind="search.opened")] == ["bus timetables"]


def test_a_card_that_is_opened_instead_of_another_has_its_own_search(papers, wendy):
    first = opened(wendy, papers, TOKEN.search(search(wendy, papers, q="bus timetables"))[1])
    assert opened(wendy, papers, TOKEN.search(search(wendy, papers, q="recipe cooking"))[1]) != first
    found = Event.objects.filter(kind="search.opened").order_by("pk")
    assert [event.data["query"] for event in found] == ["bus timetables", "recipe cooking"]


def test_without_a_hit_there_are_examples_and_a_random_selection(papers, wendy):
    text = search(wendy, papers, q="zzzz")
    assert "Nothing found for these words" in text
    assert 'href="?q=question%20answering"' in text
    nothing, instead = shown()
    assert (nothing["results"], nothing["random"]) == ([], False)
    assert instead["random"]
    opened(wendy, papers, TOKEN.search(text)[1])
    assert Event.objects.get(kind="search.opened").data["query"] == ""


@pytest.mark.parametrize("found", [{"q": "bus timetables"}, {"seed": "abc"}], ids=lambda found: next(iter(found)))
def test_a_link_and_sending_lead_back_to_the_results_in_which_the_paper_was_found(papers, wendy, found):
    results = f"{reverse('search', args=[papers.slug, 'ask'])}?{urlencode(found)}"
    page = opened(wendy, papers, TOKEN.search(search(wendy, papers, **found))[1])
    links = re.findall(r'<a class="btn btn-sm" href="([^"]+)">(.*?)</a>', shown_at(wendy, page))
    assert [html.unescape(url) for url, words in links if words.endswith("Results")] == [results]
    sent = wendy.client.post(*wendy.answered(page))
    assert sent["Location"] == results


def shown_at(bot, page):
    """The HTML of a page without the space between its tags."""
    return re.sub(r"\s*([<>])\s*", r"\1", bot.client.get(page, follow=True).content.decode())


def test_the_search_is_the_first_of_the_steps_and_says_what_a_good_question_is(papers, wendy):
    found = re.sub(r"\s*([<>])\s*", r"\1", search(wendy, papers, q="bus"))
    assert re.search(r'aria-current="step"><span class="n">1</span>Find</li><li class="next"><span class="n">2<', found)
    assert "<h2>A good question</h2>" in found
    stages = shown_at(wendy, opened(wendy, papers, TOKEN.search(found)[1]))
    (steps,) = re.findall(r'<ol class="stepper"(.*?)</ol>', stages)
    assert re.search(r"Find.*aria-current=.step.*>2<.*Questions", steps)


def order(bot, papers, seed):
    search(bot, papers, seed=seed)
    return [item for item, _ in shown()[-1]["results"]]


def test_each_seed_shuffles_the_papers_anew_and_gives_the_same_order_again(papers, wendy):
    orders = {seed: order(wendy, papers, seed) for seed in "abcdefgh"}
    assert len({tuple(each) for each in orders.values()}) == 8
    followers = {(each[at], each[at + 1]) for each in orders.values() for at in range(9)}
    assert len(followers) > 36  # the papers are not always in the same order, begun at another place
    assert order(wendy, papers, "a") == orders["a"]
