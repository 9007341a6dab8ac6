"""Leads see what they were asked in side chats, read the whole chat on the item's page, and answer or settle it."""

from __future__ import annotations

from copy import deepcopy

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock, randomness
from annotation.models import Role
from tasks.engine import skip_and_return
from tasks.models import ChatMessage
from tasks.pairs import side_chat
from tests.people import join
from tests.protocols.toy.building import Pair, toy_project


@pytest.fixture(scope="module")
def seated_once(shared_rows):
    return Pair.seated(toy_project(), now=clock.now())


@pytest.fixture
def pair(seated_once, db):
    return deepcopy(seated_once)


@pytest.fixture
def project(pair):
    return pair.annotation.item.project


@pytest.fixture
def lead(project):
    client = Client()
    client.force_login(join(project, "lena", Role.LEAD))
    return client


def writes(pair, seat, text, **more):
    row = pair.row(seat)
    more = {"key": randomness.handle(), "to_lead": False, "now": clock.now()} | more
    return side_chat.write(row, by=row.annotator, text=text, **more)


def text(answer):
    return " ".join(answer.content.decode().split())


def item_page(pair):
    return reverse("item", args=["toys", pair.annotation.item_id])


def answer(lead, pair, **fields):
    url = reverse("answer_chat", args=["toys", pair.annotation.item_id, pair.annotation.uuid])
    return lead.post(url, {"key": randomness.handle()} | fields)


def test_the_project_page_lists_what_leads_were_asked_with_a_link_to_the_chat(pair, lead):
    overview = reverse("project", args=["toys"])
    writes(pair, "asker", "Between us")
    assert "Asked in side chats" not in text(lead.get(overview))
    writes(pair, "teller", "May I say <i>no</i>?", to_lead=True)
    page = text(lead.get(overview))
    assert "Asked in side chats" in page
    assert "May I say &lt;i&gt;no&lt;/i&gt;?" in page
    assert f'Teller <span class="mono">{pair.teller.worker_code}</span>' in page
    assert "Between us" not in page
    assert f'href="{item_page(pair)}#chat-{pair.annotation.uuid}"' in page


def test_the_home_page_counts_what_a_lead_was_asked(pair, lead):
    assert "Nothing is disputed or reported." in text(lead.get("/"))
    for said in ("May I?", "And may I?"):
        writes(pair, "teller", said, to_lead=True)
    page = text(lead.get("/"))
    assert "2 messages ask you" in page
    assert "Nothing is disputed or reported." not in page


def test_the_page_of_the_item_has_the_whole_chat_under_seats_and_codes(pair, lead):
    assert "Side chat" not in text(lead.get(item_page(pair)))
    writes(pair, "asker", "Between us")
    writes(pair, "teller", "May I?", to_lead=True)
    page = text(lead.get(item_page(pair)))
    assert f'id="chat-{pair.annotation.uuid}"' in page
    for said in ("Between us", "May I?", "asks a lead", "Asker", "Teller", pair.asker.worker_code):
        assert said in page
    assert "no longer at work" not in page
    assert f"Asker {pair.asker.worker_code} · Teller {pair.teller.worker_code}" in page


def test_an_answer_reaches_both_and_takes_it_off_the_list(pair, lead):
    writes(pair, "teller", "May I?", to_lead=True)
    assert "Settle without an answer" in text(lead.get(item_page(pair)))
    assert answer(lead, pair, text="You may.").url == f"{item_page(pair)}#chat-{pair.annotation.uuid}"
    assert "Settle without an answer" not in text(lead.get(item_page(pair)))
    assert "Asked in side chats" not in text(lead.get(reverse("project", args=["toys"])))
    for seat in ("asker", "teller"):
        client = Client()
        client.force_login(getattr(pair, seat))
        shown = text(client.get(reverse("chat", args=[pair.held[seat].uuid])))
        assert 'data-who="lead"' in shown
        assert "You may." in shown
        assert "lena" not in shown


def test_what_needs_no_answer_is_settled(pair, lead):
    writes(pair, "teller", "Sorry, wrong button", to_lead=True)
    assert answer(lead, pair, settle="1").status_code == 302
    assert "Asked in side chats" not in text(lead.get(reverse("project", args=["toys"])))
    assert ChatMessage.objects.count() == 1


def test_an_answer_without_words_is_refused_and_one_after_the_end_is_kept(pair, lead):
    writes(pair, "teller", "May I?", to_lead=True)
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=clock.now())
    assert "no longer at work" in text(lead.get(item_page(pair)))
    assert answer(lead, pair, text=" ").status_code == 422
    answer(lead, pair, text="You could have.")
    assert "You could have." in text(lead.get(item_page(pair)))


def test_only_leads_of_the_project_may_answer(pair, lead):
    writes(pair, "teller", "May I?", to_lead=True)
    for person in (pair.asker, join(toy_project("others"), "otto", Role.LEAD)):
        client = Client()
        client.force_login(person)
        assert answer(client, pair, text="You may.").status_code == 404
    assert ChatMessage.objects.count() == 1
