"""Papers over HTTP: search and its tokens, images, blocks, and what a writer can't reach."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse

from annotation import clock, registry
from annotation.models import Event
from frontend.bots.bot import Bot
from tasks.engine import leases
from tasks.models import Assignment
from tests.builders import open_papers
from tests.people import join

TOKEN = re.compile(r'name="item" value="([^"]+)"')
PNG = b"\x89PNG"


@pytest.fixture
def papers(db):
    return open_papers(activities={"ask": {"overlap": {"train": 3}}})


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


def claimed_with_pictures(bot, papers, writer):
    """The URL of work on a paper with images."""
    token = TOKEN.search(results(writer, papers, "recipe cooking"))[1]
    page = opened(writer, papers, token)["Location"]
    while page is not None:
        page = writer.answer(page)
    return bot.claim(papers, "answer")


def test_an_answerer_gets_the_images_of_the_paper_and_nothing_else_by_that_url(papers, wendy, adam):
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


def test_the_lease_of_a_block_whose_time_is_over_has_no_seconds_left(papers, wendy, adam, monkeypatch):
    page = claimed_with_pictures(adam, papers, wendy)
    assert adam.client.post(f"{page}renew/").json()["expires_in"] > 3600
    late = clock.now() + timedelta(days=3)
    monkeypatch.setattr(clock, "now", lambda: late)
    assert adam.client.post(f"{page}renew/").json()["expires_in"] == 0


def test_the_bar_says_which_question_of_how_many_it_is_and_until_when_the_paper_is_theirs(papers, wendy, adam):
    page = claimed_with_pictures(adam, papers, wendy)
    of = Assignment.objects.filter(annotator=adam.user).count()
    assert of >= 2
    shown = " ".join(adam.client.get(page).content.decode().split())
    found = re.search(rf'<b>Question 1</b> of {of}</span>.*?yours until <time datetime="([^"]+)"', shown)
    until = adam.client.get(reverse("home")).context["held"][0].until
    assert found[1] == until.isoformat(timespec="seconds"), "the end that comes first, as at home"


def test_what_renews_a_block_says_its_new_end_to_the_page(papers, wendy, adam):
    page = claimed_with_pictures(adam, papers, wendy)
    said = adam.client.post(f"{page}renew/").json()
    until = adam.client.get(reverse("home")).context["held"][0].until
    assert f'datetime="{until.isoformat(timespec="seconds")}"' in said["until"]


def test_the_bar_counts_the_questions_that_are_done_in_whatever_order(papers, wendy, adam):
    claimed_with_pictures(adam, papers, wendy)
    first, *_others, last = Assignment.objects.filter(annotator=adam.user).order_by("pk")
    pages = {row.pk: reverse("work", args=[row.uuid]) for row in (first, last)}
    counted = re.compile(r'<progress class="wide-only" max="\d+" value="(\d+)"')
    assert counted.search(adam.client.get(pages[last.pk]).content.decode())[1] == "0"
    adam.answer(pages[last.pk])
    assert counted.search(adam.client.get(pages[first.pk]).content.decode())[1] == "1"


def test_the_key_that_skips_while_asking_skips_the_paper(papers, wendy):
    page = opened(wendy, papers, TOKEN.search(results(wendy, papers, "bus timetables"))[1])["Location"]
    assert '<i data-k="key-skip">skip this paper</i>' in wendy.client.get(page).content.decode()


DONE = "All questions about this paper are done"


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


def test_that_all_questions_are_done_is_said_once_they_are(papers, wendy, adam):
    page = claimed_with_pictures(adam, papers, wendy)
    rest = Assignment.objects.filter(annotator=adam.user, state="leased")
    while rest.exists():
        assert DONE not in adam.client.get(page).content.decode()
        adam.answer(reverse("work", args=[rest.first().uuid]))
    assert DONE in home(adam)


def test_a_late_answer_does_not_say_that_all_questions_are_done(papers, wendy, adam):
    page = claimed_with_pictures(adam, papers, wendy)
    leases.expire_overdue(now=clock.now() + timedelta(days=3))
    adam.answer(page)
    shown = home(adam)
    assert DONE not in shown
    assert "The time for the other questions about this paper has ended" in shown


def test_a_report_of_the_last_question_says_that_it_was_reported(papers, wendy, adam):
    claimed_with_pictures(adam, papers, wendy)
    for held in Assignment.objects.filter(annotator=adam.user):
        adam.post(reverse("report", args=[held.uuid]), {"reason": "broken"})
    shown = home(adam)
    assert DONE not in shown
    assert "Reported. Thank you." in shown


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


def test_a_skipped_question_of_the_paper_is_listed_without_an_address(papers, wendy, adam):
    claimed_with_pictures(adam, papers, wendy)
    skipped, *_, last = Assignment.objects.filter(annotator=adam.user).order_by("pk")
    way = reverse("work", args=[skipped.uuid])
    page = reverse("work", args=[last.uuid])
    assert f'href="{way}"' in adam.client.get(page).content.decode()
    adam.post(f"{way}skip/", {"reason": "topic"})
    shown = adam.client.get(page).content.decode()
    assert 'data-state="skipped"' in shown
    assert f'href="{way}"' not in shown
