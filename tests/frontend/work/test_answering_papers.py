"""Answering questions about a paper over HTTP: its images, the block of its questions, and how that ends."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Project, User
from frontend.bots.bot import Bot
from tasks.engine import leases
from tasks.models import Assignment
from tests.builders import open_papers
from tests.frontend.work.test_papers_over_http import TOKEN, opened, results
from tests.people import join

PNG = b"\x89PNG"
DONE = "All questions about this paper are done"


@pytest.fixture(scope="module")
def claimed_once(shared_rows) -> tuple[int, str]:
    """Wendy has asked about a paper with images, and Adam has begun to answer: the project, and his page."""
    made = open_papers(activities={"ask": {"overlap": {"train": 3}}})
    writer, adam = (Bot(join(made, name), Random(1)) for name in ("wendy", "adam"))
    page = opened(writer, made, TOKEN.search(results(writer, made, "recipe cooking"))[1])["Location"]
    while page is not None:
        page = writer.answer(page)
    return made.pk, adam.claim(made, "answer")


@pytest.fixture
def papers(claimed_once, db):
    return Project.objects.get(pk=claimed_once[0])


@pytest.fixture
def page(claimed_once, db):
    return claimed_once[1]


@pytest.fixture
def wendy(claimed_once, db):
    return Bot(User.objects.get(username="wendy"), Random(1))


@pytest.fixture
def adam(claimed_once, db):
    return Bot(User.objects.get(username="adam"), Random(2))


def home(bot):
    return bot.client.get(reverse("home")).content.decode()


def test_an_answerer_gets_the_images_of_the_paper_and_nothing_else_by_that_url(wendy, adam, page):
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


def test_a_finished_block_leads_home_and_its_work_is_closed(papers, adam, page):
    uuids = list(Assignment.objects.filter(annotator=adam.user).values_list("uuid", flat=True))
    while adam.finish_one(papers, "answer") and Assignment.objects.filter(annotator=adam.user, state="leased").exists():
        pass
    assert len(uuids) >= 2
    assert adam.client.get(page)["Location"] == reverse("home")


def test_the_lease_of_a_block_whose_time_is_over_has_no_seconds_left(adam, monkeypatch, page):
    assert adam.client.post(f"{page}renew/").json()["expires_in"] > 3600
    late = clock.now() + timedelta(days=3)
    monkeypatch.setattr(clock, "now", lambda: late)
    assert adam.client.post(f"{page}renew/").json()["expires_in"] == 0


def test_the_bar_says_which_question_of_how_many_it_is_and_until_when_the_paper_is_theirs(adam, page):
    of = Assignment.objects.filter(annotator=adam.user).count()
    assert of >= 2
    shown = " ".join(adam.client.get(page).content.decode().split())
    found = re.search(rf'<b>Question 1</b> of {of}</span>.*?yours until <time datetime="([^"]+)"', shown)
    until = adam.client.get(reverse("home")).context["held"][0].until
    assert found[1] == until.isoformat(timespec="seconds"), "the end that comes first, as at home"


def test_what_renews_a_block_says_its_new_end_to_the_page(adam, page):
    said = adam.client.post(f"{page}renew/").json()
    until = adam.client.get(reverse("home")).context["held"][0].until
    assert f'datetime="{until.isoformat(timespec="seconds")}"' in said["until"]


def test_the_bar_counts_the_questions_that_are_done_in_whatever_order(adam):
    first, *_others, last = Assignment.objects.filter(annotator=adam.user).order_by("pk")
    pages = {row.pk: reverse("work", args=[row.uuid]) for row in (first, last)}
    counted = re.compile(r'<progress class="wide-only" max="\d+" value="(\d+)"')
    assert counted.search(adam.client.get(pages[last.pk]).content.decode())[1] == "0"
    adam.answer(pages[last.pk])
    assert counted.search(adam.client.get(pages[first.pk]).content.decode())[1] == "1"


def test_that_all_questions_are_done_is_said_once_they_are(adam, page):
    rest = Assignment.objects.filter(annotator=adam.user, state="leased")
    while rest.exists():
        assert DONE not in adam.client.get(page).content.decode()
        adam.answer(reverse("work", args=[rest.first().uuid]))
    assert DONE in home(adam)


def test_a_late_answer_does_not_say_that_all_questions_are_done(adam, page):
    leases.expire_overdue(now=clock.now() + timedelta(days=3))
    adam.answer(page)
    shown = home(adam)
    assert DONE not in shown
    assert "The time for the other questions about this paper has ended" in shown


def test_a_report_of_the_last_question_says_that_it_was_reported(adam):
    for held in Assignment.objects.filter(annotator=adam.user):
        adam.post(reverse("report", args=[held.uuid]), {"reason": "broken"})
    shown = home(adam)
    assert DONE not in shown
    assert "Reported. Thank you." in shown


def test_a_skipped_question_of_the_paper_is_listed_without_an_address(adam):
    skipped, *_, last = Assignment.objects.filter(annotator=adam.user).order_by("pk")
    way = reverse("work", args=[skipped.uuid])
    page = reverse("work", args=[last.uuid])
    assert f'href="{way}"' in adam.client.get(page).content.decode()
    adam.post(f"{way}skip/", {"reason": "topic"})
    shown = adam.client.get(page).content.decode()
    assert 'data-state="skipped"' in shown
    assert f'href="{way}"' not in shown
