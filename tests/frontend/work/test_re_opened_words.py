"""What annotators read when their finished work is re-opened: by whom and why, on the home page and its own."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse

from annotation import clock, randomness
from frontend.bots.bot import Bot
from tasks import corrections
from tests.builders import Worker, open_with, questions
from tests.people import NOON

ASKED = "A lead asks you to look at this again"
FIRST = "The first harbour light was lit in 1823 at Cordouan, a tower on a reef."
WHY = "The table has a row that says it."


@pytest.fixture
def done(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(3))
    return Worker(alice, nq).finish_without_answer()


def pages(alice, done):
    client = Bot(alice, Random(1)).client
    return [client.get(url).content.decode() for url in (reverse("home"), reverse("work", args=[done.uuid]))]


def test_the_author_reads_the_leads_reason_at_home_and_on_the_page(nq, alice, done, lena):
    corrections.reopen(nq, done.annotation.uuid, by=lena, reason=WHY, now=clock.now())
    for shown in pages(alice, done):
        assert ASKED in shown
        assert WHY in shown
        assert "counts until you send a new one" in shown


def test_work_that_is_open_for_the_first_time_does_not_mention_a_lead(alice, nq, tmp_path):
    open_with(nq, tmp_path, questions(3))
    mine = Worker(alice, nq).claim(now=clock.now())
    assert [ASKED in shown for shown in pages(alice, mine)] == [False, False]


def test_re_opening_by_a_second_version_of_ones_own_does_not_mention_a_lead(alice, done):
    box = {"kind": "box", "candidate": 0, "quote": FIRST}
    now = NOON + timedelta(minutes=1)
    corrections.replace(done, "long_answer", box, by=alice, key=randomness.handle(), seen=2, now=now)
    assert [ASKED in shown for shown in pages(alice, done)] == [False, False]
