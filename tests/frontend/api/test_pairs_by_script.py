"""Pairs by script: the side chat, another partner, and a preferred part, as the pages have them."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock, randomness
from annotation.models import Project
from frontend.work.messages import PARTNER_IS_BACK, PLACE_IS_GONE
from tasks.engine import skip_and_return
from tasks.models import Assignment, ChatMessage, Ticket
from tasks.pairs import presence
from tests.frontend.api.callers import Caller, working
from tests.frontend.api.scripts import by_script
from tests.people import join
from tests.protocols.toy.building import Pair, toy_project

FULL = "Write a message of at most 500 characters."


@pytest.fixture(scope="module")
def toys_once(shared_rows: Path) -> int:
    return by_script(toy_project()).pk


@pytest.fixture
def toys(toys_once: int, db: None) -> Project:
    return Project.objects.get(pk=toys_once)


@pytest.fixture
def pair(toys: Project) -> Pair:
    return Pair.seated(toys, now=clock.now())


def script(pair: Pair, seat: str) -> Caller:
    return working(getattr(pair, seat))


def address(pair: Pair, seat: str, rest: str = "chat/") -> str:
    return f"work/{pair.held[seat].uuid}/{rest}"


def said(pair: Pair, seat: str, text: str, **more: object):
    return script(pair, seat).post(address(pair, seat), {"text": text, "key": str(randomness.handle())} | more)


def lines(answer) -> list[tuple[int, str, str]]:
    return [(one["number"], one["who"], one["text"]) for one in answer.json()["results"]]


def page_of(pair: Pair, seat: str) -> Client:
    client = Client()
    client.force_login(getattr(pair, seat))
    return client


def test_a_script_and_a_page_talk_in_one_chat_and_nobody_is_named(pair: Pair):
    assert lines(said(pair, "asker", "May I <b>?", to_lead=True)) == [(1, "me", "May I <b>?")]
    form = {"text": "You may.", "key": randomness.handle(), "after": "0"}
    page = page_of(pair, "teller").post(reverse("chat", args=[pair.held["teller"].uuid]), form)
    assert "May I &lt;b&gt;?" in page.content.decode()
    heard = script(pair, "asker").get(address(pair, "asker"), {"after": 1})
    assert lines(heard) == [(2, "partner", "You may.")]
    assert (heard.json()["latest"], heard.json()["results"][0]["key"]) == (2, None)
    assert script(pair, "asker").get(address(pair, "asker"), {"after": 2}).json() == {"latest": 2, "results": []}
    for name in (pair.teller.username, pair.teller.worker_code):
        assert name not in heard.content.decode()
    assert ChatMessage.objects.get(number=1).to_lead


def test_a_message_sent_twice_counts_once_and_of_another_text_is_refused(pair: Pair):
    caller = script(pair, "asker")
    for _twice in range(2):
        answer = caller.post(address(pair, "asker"), {"text": "May I?"}, Idempotency_Key="one")
        assert lines(answer) == [(1, "me", "May I?")]
    other = caller.post(address(pair, "asker"), {"text": "Else"}, Idempotency_Key="one")
    assert (other.status_code, other.json()["type"]) == (422, "key_reused")
    assert ChatMessage.objects.count() == 1


@pytest.mark.parametrize("text", [" ", "x" * 501, "x\r\n" * 250 + "end"], ids=["blank", "501", "line breaks"])
def test_what_the_page_refuses_is_refused_with_its_sentence(pair: Pair, text: str):
    refused = said(pair, "asker", text)
    assert (refused.status_code, refused.json()["detail"]) == (422, FULL)
    assert said(pair, "asker", "x\r\n" * 249 + "xx").status_code == 200
    assert len(ChatMessage.objects.get().text) == 500


def test_the_chat_of_others_or_of_work_that_is_over_does_not_exist(pair: Pair, toys: Project):
    said(pair, "asker", "May I?")
    for person in (pair.teller, join(toys, "vic")):
        assert working(person).get(address(pair, "asker")).status_code == 404
        assert working(person).post(address(pair, "asker"), {"text": "x"}).status_code == 404
    skip_and_return.give_back(pair.row("asker"), by=pair.asker, now=clock.now())
    for seat in ("asker", "teller"):
        assert script(pair, seat).get(address(pair, seat)).status_code == 404
        late = said(pair, seat, "Still there?")
        assert (late.status_code, late.json()["type"]) == (409, "already_closed")
    later = Pair.seated(toys, "uma", "vic", now=clock.now())
    assert later.annotation.item == pair.annotation.item
    assert lines(script(later, "asker").get(address(later, "asker"))) == []


def lost(now: datetime) -> None:
    """Nobody but the asker has been heard of for so long that they count as lost."""
    Assignment.objects.filter(seat="teller").update(seen_at=now, claimed_at=now)


@pytest.mark.parametrize(("seconds", "state"), [(89.9, ""), (90, "waiting")], ids=["here", "lost"])
def test_another_partner_is_found_once_the_partner_is_lost_and_not_before(
    pair: Pair, seconds: float, state: str, monkeypatch: pytest.MonkeyPatch
):
    now = clock.now()
    presence.note(pair.row("asker"), now=now)
    lost(now - timedelta(seconds=seconds))
    monkeypatch.setattr(clock, "now", lambda: now)
    found = [script(pair, "asker").post(address(pair, "asker", "another/"), {}) for _twice in range(2)]
    if state:
        assert [one.json()["state"] for one in found] == [state] * 2
        assert Ticket.objects.get().in_line_since == pair.held["asker"].claimed_at
        assert pair.row("asker").state == "returned"
    else:
        assert [(one.status_code, one.json()["detail"]) for one in found] == [(403, str(PARTNER_IS_BACK))] * 2
        assert not Ticket.objects.exists()
        assert pair.row("asker").state == "leased"


@pytest.mark.parametrize("rest", ["steps/ask-1/withdraw/", "end/"])
def test_what_a_key_of_shared_work_keeps_is_told_to_no_former_member(pair: Pair, rest: str):
    pair.say("asker", "ask-1", now=clock.now())
    if rest == "end/":
        lost(clock.now() - timedelta(minutes=2))
    caller = script(pair, "asker")
    first, replayed, refused, back = (
        caller.post(address(pair, "asker", rest), {}, Idempotency_Key="once")
        for ended_at in (None, None, clock.now(), None)
        if pair.asker.memberships.update(ended_at=ended_at)
    )
    assert [one.status_code for one in (first, replayed, refused, back)] == [200, 200, 404, 200]
    assert first.content == replayed.content == back.content


@pytest.mark.parametrize(("minutes", "code"), [(60, 200), (60.1, 403)])
def test_the_old_place_in_line_is_kept_for_an_hour(
    pair: Pair, minutes: float, code: int, monkeypatch: pytest.MonkeyPatch
):
    left_at = clock.now()
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=left_at)
    monkeypatch.setattr(clock, "now", lambda: left_at + timedelta(minutes=minutes))
    answer = script(pair, "asker").post(address(pair, "asker", "another/"), {})
    assert answer.status_code == code
    assert code == 200 or answer.json()["detail"] == str(PLACE_IS_GONE)
    who_left = script(pair, "teller").post(address(pair, "teller", "another/"), {})
    assert who_left.json()["type"] == "too_late"


def test_a_part_is_preferred_in_line_and_the_page_shows_it(toys: Project):
    ann = join(toys, "ann")
    caller, lobby = working(ann), f"projects/{toys.slug}/lobbies/talk/"
    assert caller.post(f"{lobby}part/", {"part": "teller"}).status_code == 404
    caller.post(lobby, {})
    parts = caller.post(f"{lobby}part/", {"part": "teller"}).json()["parts"]
    assert {one["seat"]: one["preferred"] for one in parts} == {"asker": False, "teller": True}
    assert Ticket.objects.get().prefers == "teller"
    assert caller.post(f"{lobby}part/", {"part": "chair"}).status_code == 404
    assert not any(one["preferred"] for one in caller.post(f"{lobby}part/", {"part": ""}).json()["parts"])


def test_for_what_a_partner_can_be_flagged_is_told(pair: Pair):
    shown = script(pair, "asker").get(f"work/{pair.held['asker'].uuid}/").json()
    activity = pair.work("asker").activity
    assert {one["reason"] for one in shown["partner"]["flags"]} == {
        key for stage in activity.stages for key, _title in stage.flags
    }


def test_nothing_of_it_is_done_by_script_where_leads_do_not_want_that(pair: Pair, toys: Project):
    toys.config = {**toys.config, "work_by_script": False}
    toys.save()
    for rest in ("chat/", "another/"):
        refused = script(pair, "asker").post(address(pair, "asker", rest), {"text": "x"} if rest == "chat/" else {})
        assert (refused.status_code, refused.json()["type"]) == (403, "browser_only")
    assert pair.row("asker").state == "leased"
