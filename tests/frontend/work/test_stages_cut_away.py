"""An answer to a stage that another tab has removed is shown back, with what counts now; nothing of it is lost."""

from __future__ import annotations

import json
from itertools import product
from random import Random

import pytest
from django.urls import reverse

from annotation import randomness
from annotation.models import Draft, Response
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tasks import corrections
from tasks.models import Assignment
from tests.builders import open_with, questions
from tests.people import NOON

BOX = {"kind": "box", "candidate": "3", "quote": "Anna Berg came from Bergen."}
NONE = {"kind": "none", "reason": "page"}
HTMX, FETCH = {"HX-Request": "true"}, {"X-Requested-With": "fetch"}
HALF = {"kind": "spans", "spans": "[{ these words"}


class Tab:
    """A page load of alice's work, in the state in which it was loaded."""

    def __init__(self, bot, url):
        self.bot, self.url = bot, url
        self.shows = dict(HIDDEN_FIELD.findall(bot.client.get(url).content.decode()))

    def send(self, stage, fields, **headers):
        return self.bot.client.post(f"{self.page}{stage}/", self.shows | fields, headers=headers)

    @property
    def page(self):
        return reverse("work", args=[Assignment.objects.get().uuid])


@pytest.fixture
def bot(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    return Bot(alice, Random(1))


@pytest.fixture
def page(bot, nq):
    return bot.claim(nq, "annotate")


@pytest.fixture
def older(bot, page):
    """A tab at the short answer; in a newer one the long answer has become "no answer", which ends the work."""
    Tab(bot, page).send("question", {"verdict": "good"})
    Tab(bot, page).send("long_answer", BOX)
    older = Tab(bot, page)
    assert Tab(bot, f"{page}long_answer/").send("long_answer", NONE).status_code == 200
    return older


def test_an_answer_to_a_stage_removed_by_no_answer_is_shown_back(older):
    stored = Response.objects.count()
    for headers, (fields, words) in product(({}, HTMX, FETCH), (({"kind": "yes"}, "Yes"), (HALF, "these words"))):
        response = older.send("short_answer", fields, **headers)
        text = response.content.decode()
        assert response.status_code == 409, (headers, words)
        assert "who tended light number 0" in text or headers == FETCH
        assert words in text, headers
        assert "No answer" in text, (headers, words)
        assert Response.objects.count() == stored


def test_a_draft_of_a_removed_stage_is_shown_back_too(older):
    data = {"client": str(randomness.handle()), "seq": "1", "data": json.dumps({"kind": "yes"})}
    response = older.send("short_answer/draft", data, **FETCH)
    assert response.status_code == 409
    assert "Yes" in response.content.decode()
    assert not Draft.objects.exists()


def test_the_same_holds_when_a_lead_has_re_opened_the_work(older, nq, lena):
    mine = Assignment.objects.get()
    corrections.reopen(nq, mine.annotation.uuid, by=lena, reason="Please look again.", now=NOON)
    response = older.send("short_answer", {"kind": "yes"})
    assert response.status_code == 409
    assert "Yes" in response.content.decode()


@pytest.mark.parametrize("ends", [True, False])
def test_a_stage_that_was_never_reached_is_a_404_whatever_is_sent(bot, page, ends):
    tab = Tab(bot, page)
    if ends:
        tab.send("question", {"verdict": "bad", "reasons": ["ambiguous"]})
    for seen, fields in product(("0", "1", "7"), (BOX, {"kind": "box"})):
        sent = fields | {"seen": seen, "submission_key": str(randomness.handle())}
        assert tab.send("long_answer", sent).status_code == 404, (seen, fields)
    assert Response.objects.count() == int(ends)


def test_and_so_it_is_under_a_key_that_was_used_before(bot, page):
    tab, key = Tab(bot, page), {"submission_key": str(randomness.handle())}
    tab.send("question", {"verdict": "bad", "reasons": ["ambiguous"]} | key)
    assert tab.send("long_answer", BOX | {"seen": "1"} | key).status_code == 404
    assert Response.objects.count() == 1
