"""The side chat over HTTP: the pair reads and writes it while they work, and nobody else sees that it exists."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock, randomness
from annotation.models import Role
from tasks.engine import skip_and_return
from tasks.models import ChatMessage
from tests.people import join
from tests.protocols.toy.building import Pair

SHOWN = re.compile(r'<li.*?data-number="(\d+)" data-who="(\w+)".*?<p dir="auto">(.*?)</p>', re.DOTALL)
PART = {"X-Part": "1"}


@pytest.fixture
def pair(toys):
    return Pair.seated(toys, now=clock.now())


@pytest.fixture
def project(pair):
    return pair.annotation.item.project


def browser(person):
    client = Client()
    client.force_login(person)
    return client


def address(pair, seat="asker"):
    return reverse("chat", args=[pair.held[seat].uuid])


def send(pair, seat, text, **fields):
    fields = {"text": text, "key": randomness.handle(), "after": "0"} | fields
    return browser(getattr(pair, seat)).post(address(pair, seat), fields)


def shown(answer):
    """(number, who, text) of each message."""
    return [(int(number), who, text) for number, who, text in SHOWN.findall(answer.content.decode())]


def test_each_of_them_sees_who_wrote_what_but_no_names(pair):
    assert shown(send(pair, "asker", "May I <b>?")) == [(1, "me", "May I &lt;b&gt;?")]
    assert shown(send(pair, "teller", "You may.")) == [(1, "partner", "May I &lt;b&gt;?"), (2, "me", "You may.")]
    answer = browser(pair.asker).get(address(pair), {"after": "1"})
    assert shown(answer) == [(2, "partner", "You may.")]
    assert answer["X-Chat"] == "2"
    for name in (pair.teller.username, pair.teller.worker_code):
        assert name not in answer.content.decode()


def test_the_poll_of_the_partner_says_how_far_the_chat_is(pair):
    poll = browser(pair.teller).get(reverse("partner", args=[pair.held["teller"].uuid]), headers=PART)
    assert poll["X-Chat"] == "0"
    send(pair, "asker", "May I?")
    poll = browser(pair.teller).get(reverse("partner", args=[pair.held["teller"].uuid]), headers=PART)
    assert poll["X-Chat"] == "1"
    assert "May I?" not in poll.content.decode()


def test_every_page_of_shared_work_has_the_panel_and_work_of_one_person_has_none(pair, project):
    for seat in ("asker", "teller"):
        page = browser(getattr(pair, seat)).get(reverse("work", args=[pair.held[seat].uuid])).content.decode()
        assert f'data-chat="{address(pair, seat)}"' in page
        assert "About the guidelines only" in page
    pair.talk(now=clock.now())
    judge = browser(join(project, "judy"))
    page = judge.post(reverse("claim", args=[project.slug, "review"]), follow=True).content.decode()
    assert "data-commit" in page
    assert "data-chat" not in page


def test_the_same_message_twice_is_stored_once(pair):
    key = randomness.handle()
    for _twice in range(2):
        assert shown(send(pair, "asker", "May I?", key=key)) == [(1, "me", "May I?")]
    assert send(pair, "asker", "Another", key=key).status_code == 422
    assert ChatMessage.objects.count() == 1


@pytest.mark.parametrize(
    "fields", [{"text": " "}, {"text": "x" * 501}, {"text": "\0"}, {"key": "none"}, {"key": ""}], ids=str
)
def test_what_can_not_be_stored_is_refused_with_a_sentence(pair, fields):
    answer = send(pair, "asker", **{"text": "May I?"} | fields)
    assert (answer.status_code, answer["Content-Type"]) == (422, "text/plain; charset=utf-8")
    assert answer.content
    assert not ChatMessage.objects.exists()


def test_a_line_break_is_one_character_however_it_is_sent(pair):
    assert send(pair, "asker", "x\r\n" * 250 + "end").status_code == 422
    assert send(pair, "asker", "x\r\n" * 249 + "xx").status_code == 200
    assert "\r" not in ChatMessage.objects.get().text


def test_others_get_what_a_chat_that_does_not_exist_gives(pair, project):
    send(pair, "asker", "May I?")
    stranger, partner = join(project, "vic"), pair.teller
    for person in (stranger, partner, join(project, "lena", Role.LEAD)):
        for method in ("get", "post"):
            there = getattr(browser(person), method)(address(pair))
            nowhere = getattr(browser(person), method)(reverse("chat", args=[randomness.handle()]))
            assert there.status_code == nowhere.status_code == 404
    assert Client().get(address(pair)).status_code == 302


def test_after_the_work_it_is_closed_for_both(pair):
    send(pair, "asker", "May I?")
    skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=clock.now())
    for seat in ("asker", "teller"):
        assert browser(getattr(pair, seat)).get(address(pair, seat)).status_code == 404
        assert send(pair, seat, "Still there?").status_code == 409
    assert ChatMessage.objects.count() == 1


def test_who_talks_about_the_same_topic_later_never_gets_it(pair, project):
    send(pair, "asker", "Zq7earlier")
    item = pair.annotation.item
    skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=clock.now())
    later = Pair.seated(project, "uma", "vic", now=clock.now())
    assert later.annotation.item == item
    uma = browser(later.asker)
    for page in (reverse("work", args=[later.held["asker"].uuid]), address(later)):
        assert "Zq7earlier" not in uma.get(page).content.decode()
    assert shown(uma.get(address(later))) == []
