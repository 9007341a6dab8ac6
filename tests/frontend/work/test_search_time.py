"""Time on a search page counts for the project: active and reading, with the words shown as the allowance."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db.models import Sum
from django.test import Client
from django.urls import reverse

from annotation import clock as the_clock
from annotation.documents.words import length_of
from annotation.models import Project, Role, TimeSpan
from annotation.worktime import spans
from tests.builders import open_papers, project
from tests.people import NOON, join

NOTE = re.compile(r'data-time-note="([^"]+)"')


@pytest.fixture(scope="module")
def papers_once(shared_rows) -> int:
    return open_papers(opened=("ask",)).pk


@pytest.fixture
def papers(papers_once, db):
    return Project.objects.get(pk=papers_once)


def browser(user):
    made = Client(SERVER_NAME="127.0.0.1")
    made.force_login(user)
    return made


class Standing:
    """A clock for both databases that moves only when told to."""

    def __init__(self):
        self.time = NOON

    def shift(self, seconds):
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch):
    made = Standing()
    monkeypatch.setattr(the_clock, "now", lambda: made.time)
    return made


@pytest.fixture
def wendy(papers, clock):
    return browser(join(papers, "wendy"))


def note(client, papers, **fields):
    page = client.get(reverse("search", args=[papers.slug, "ask"]), fields or {"seed": "abc"})
    return NOTE.search(page.content.decode())[1]


def tell(client, papers, **sent):
    answer = client.post(reverse("search_time", args=[papers.slug, "ask"]), sent)
    assert answer.status_code == 204


def seconds():
    return {span.kind: span.seconds for span in TimeSpan.objects.filter(stage="search", annotation=None)}


def test_input_is_active_and_other_visible_time_is_reading(papers, wendy, clock):
    mine = note(wendy, papers)
    clock.shift(60)
    tell(wendy, papers, note=mine, ms=50_000, active=20_000)
    assert seconds() == {"active": 20, "reading": 30}


def test_no_more_counts_than_has_passed_since_the_page_was_shown(papers, wendy, clock):
    mine = note(wendy, papers)
    clock.shift(10)
    for _ in range(2):
        tell(wendy, papers, note=mine, ms=50_000, active=50_000)
    assert seconds() == {"active": 10}


@pytest.mark.parametrize("fields", [{"seed": "abc"}, {"q": "zebra unicorn quagga"}], ids=["found", "shown-instead"])
def test_the_allowance_is_by_the_words_shown_however_often_the_page_reports(papers, wendy, clock, fields):
    page = wendy.get(reverse("search", args=[papers.slug, "ask"]), fields)
    shown = [one["hit"] for one in (*page.context["results"], *page.context.get("instead", ()))]
    words = sum(length_of(text).n for hit in shown for part in (hit.title, hit.excerpt) for text, _found in part)
    allowed = words * 60 / spans.WORDS_A_MINUTE
    assert 60 < allowed < 600
    for _ in range(3):
        clock.shift(300)
        tell(wendy, papers, note=NOTE.search(page.content.decode())[1], ms=300_000, active=0)
    sums = dict(TimeSpan.objects.values_list("kind").annotate(Sum("seconds")))
    assert sums == pytest.approx({"reading": allowed, "idle": 900 - allowed}, abs=0.01)


def test_a_number_too_long_to_be_a_time_is_ignored(papers, wendy, clock):
    mine = note(wendy, papers)
    clock.shift(60)
    tell(wendy, papers, note=mine, ms="9" * 4000, active="9" * 4000)
    assert seconds() == {}


def test_a_note_is_worthless_to_others_elsewhere_or_malformed(papers, wendy, clock):
    mine = note(wendy, papers)
    clock.shift(60)
    walter = browser(join(papers, "walter"))
    tell(walter, papers, note=mine, ms=1000, active=0)
    other = project("other", "qasper")
    join(other, "wendy")
    tell(wendy, other, note=mine, ms=1000, active=0)
    tell(wendy, papers, note=mine[:-1], ms=1000, active=0)
    for broken in ({"note": mine}, {"note": mine, "ms": "x", "active": "1"}, {"note": mine, "ms": -5, "active": -5}):
        tell(wendy, papers, **broken)
    assert seconds() == {}


def test_the_person_and_the_lead_see_it_beside_the_pieces_of_work(papers, wendy, clock):
    mine = note(wendy, papers)
    clock.shift(300)
    tell(wendy, papers, note=mine, ms=290_000, active=290_000)
    day = wendy.get(reverse("time_day", args=[NOON.date()])).content.decode()
    assert "Choosing what to work on" in day
    assert "4 min" in day
    lead = browser(join(papers, "lena-leads", Role.LEAD))
    (row,) = lead.get(reverse("project_time", args=[papers.slug])).context["people"]
    assert (row["spent"].counts, row["pieces"]) == (290, 0)
    assert "Choosing what to work on" in lead.get(row["url"]).content.decode()
