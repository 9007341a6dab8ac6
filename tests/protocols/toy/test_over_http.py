"""A pair on the site: who answers gets a form, who waits a page that fetches its live part, others nothing."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock, randomness
from annotation.models import TimeSpan
from tasks.models import Assignment
from tests.people import join

HIDDEN_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
LIVE = {"HX-Request": "true", "HX-Target": "live"}


@pytest.fixture
def browsers(pair):
    """A browser for each seat, and the address of its work."""

    def browser(person):
        client = Client()
        client.force_login(person)
        return client

    return {seat: browser(getattr(pair, seat)) for seat in ("asker", "teller")}


def address(pair, seat, *more):
    return reverse("work", args=[pair.held[seat].uuid]) + "".join(f"{part}/" for part in more)


def send(client, pair, seat, step, headers=None, **fields):
    page = client.get(address(pair, seat)).content.decode()
    hidden = dict(HIDDEN_FIELD.findall(page))
    return client.post(address(pair, seat, step), hidden | fields, headers=headers or {})


def test_the_asker_gets_a_form_and_the_teller_waits(pair, browsers):
    asks = browsers["asker"].get(address(pair, "asker")).content.decode()
    waits = browsers["teller"].get(address(pair, "teller")).content.decode()
    assert "data-commit" in asks
    assert "data-commit" not in waits
    assert "Somebody else is answering." in waits
    assert "Zq2fact" not in asks
    assert "Zq2fact" in waits


def test_after_a_commit_the_committer_waits_and_the_partner_fetches_what_was_said(pair, browsers):
    answer = send(browsers["asker"], pair, "asker", "ask-1", text="Who lit it?", headers={"HX-Request": "true"})
    assert "Somebody else is answering." in answer.content.decode()
    live = browsers["teller"].get(address(pair, "teller", "now"))
    assert "Who lit it?" in live.content.decode()
    assert live["X-Step"] == "tell-1"
    assert "<html" not in live.content.decode()


def test_a_page_that_shows_another_step_gets_the_whole_screen_of_the_new_one_at_once(pair, browsers):
    now, asked_by = address(pair, "teller", "now"), {"HX-Request": "true", "X-Step": ""}
    waits = browsers["teller"].get(now, headers=asked_by)
    assert waits["X-Step"] == ""
    assert 'id="screen"' not in waits.content.decode()
    send(browsers["asker"], pair, "asker", "ask-1", text="Who lit it?")
    turn = browsers["teller"].get(now, headers=asked_by)
    assert turn["X-Step"] == "tell-1"
    assert 'id="screen"' in turn.content.decode()
    assert "data-commit" in turn.content.decode()
    again = browsers["teller"].get(now, headers=asked_by | {"X-Step": "tell-1"})
    assert 'id="screen"' not in again.content.decode()


def test_a_commit_from_the_live_part_gets_the_live_part_back(pair, browsers):
    answer = send(browsers["asker"], pair, "asker", "ask-1", text="Who lit it?", headers=LIVE)
    assert answer["X-Step"] == ""
    assert "Who lit it?" in answer.content.decode()
    assert "<html" not in answer.content.decode()


def test_no_byte_for_the_asker_contains_a_reason_or_the_fact(pair, browsers):
    send(browsers["asker"], pair, "asker", "ask-1", text="Who lit it?")
    said = send(browsers["teller"], pair, "teller", "tell-1", text="Anna", reason="It says so.", headers=LIVE)
    assert "It says so." in said.content.decode()
    for path in (address(pair, "asker"), address(pair, "asker", "now"), address(pair, "asker", "ask-1")):
        seen = browsers["asker"].get(path).content.decode()
        assert "Who lit it?" in seen
        assert "It says so." not in seen
        assert "Zq2fact" not in seen


def test_each_turn_has_its_own_url(pair, browsers):
    send(browsers["asker"], pair, "asker", "ask-1", text="Who lit it?")
    send(browsers["teller"], pair, "teller", "tell-1", text="Anna", reason="")
    earlier = browsers["asker"].get(address(pair, "asker", "ask-1")).content.decode()
    now = browsers["asker"].get(address(pair, "asker", "ask-2")).content.decode()
    assert "Anna" not in earlier
    assert 'value="Who lit it?"' in earlier
    assert "Anna" in now
    assert 'value="Who lit it?"' not in now


def test_a_step_of_another_seat_is_a_404(pair, browsers):
    for step in ("tell-1", "ask-2", "ask", "ask-0", "ask-01", "ask-x", "no-1", "ask-99999"):
        assert browsers["asker"].get(address(pair, "asker", step)).status_code == 404, step
        posted = browsers["asker"].post(
            address(pair, "asker", step), {"submission_key": str(randomness.handle()), "seen": "0", "text": "x"}
        )
        assert posted.status_code in (404, 409), step
        assert pair.work("asker").answers == ()


def test_nobody_else_gets_any_of_it(toys, pair, browsers):
    outsider = Client()
    outsider.force_login(join(toys, "uma"))
    for seat, other in (("asker", "teller"), ("teller", "asker")):
        for more in ((), ("now",), ("ask-1",)):
            assert outsider.get(address(pair, seat, *more)).status_code == 404
            assert browsers[other].get(address(pair, seat, *more)).status_code == 404


def test_a_draft_of_a_turn_is_kept_for_that_turn(pair, browsers):
    page = browsers["asker"].get(address(pair, "asker")).content.decode()
    draft = dict(HIDDEN_FIELD.findall(page)) | {"seq": 1, "data": '{"text": "half a quest"}'}
    assert browsers["asker"].post(address(pair, "asker", "ask-1", "draft"), draft).status_code == 200
    assert 'value="half a quest"' in browsers["asker"].get(address(pair, "asker")).content.decode()
    send(browsers["asker"], pair, "asker", "ask-1", text="Who lit it?")
    send(browsers["teller"], pair, "teller", "tell-1", text="Anna", reason="")
    assert "half a quest" not in browsers["asker"].get(address(pair, "asker")).content.decode()


def test_after_the_partner_has_left_the_live_part_is_gone(pair, browsers):
    send(browsers["asker"], pair, "asker", "ask-1", text="Who lit it?")
    browsers["teller"].post(address(pair, "teller", "return"))
    assert pair.row("asker").state == "returned"
    assert browsers["asker"].get(address(pair, "asker", "now")).status_code == 404
    assert browsers["asker"].get(address(pair, "asker")).status_code == 302


def test_the_time_at_a_later_turn_is_booked_on_its_stage(pair, browsers):
    pair.talk(until=1)
    Assignment.objects.filter(pk=pair.held["asker"].pk).update(claimed_at=clock.now() - timedelta(minutes=10))
    page = browsers["asker"].get(address(pair, "asker")).content.decode()
    trace = json.dumps([{"n": 2, "lines": [[1, "in_sight", {"ms": 30_000, "active": 30_000}, ""]]}])
    posted = dict(HIDDEN_FIELD.findall(page)) | {"trace": trace}
    assert browsers["asker"].post(address(pair, "asker", "ask-2", "draft"), posted).status_code == 200
    [span] = TimeSpan.objects.filter(annotator=pair.asker)
    assert (span.stage, span.kind, span.seconds) == ("ask", "active", 30)


PART = {"X-Part": "1"}


def away(pair, seat, seconds):
    """The person in that seat has not polled for so long."""
    since = clock.now() - timedelta(seconds=seconds)
    Assignment.objects.filter(pk=pair.held[seat].pk).update(seen_at=since, claimed_at=since)


def test_a_poll_says_that_one_is_here_and_how_the_partner_is(pair, browsers):
    for seconds, said in ((0, ""), (30, "interrupted"), (95, "Find somebody else")):
        away(pair, "asker", 0)
        away(pair, "teller", seconds)
        answer = browsers["asker"].get(address(pair, "asker", "partner"), headers=PART).content.decode()
        assert said in answer
        assert bool(answer.strip()) == bool(said)
    assert f'data-partner="{address(pair, "asker", "partner")}"' in (
        browsers["asker"].get(address(pair, "asker")).content.decode()
    )
    browsers["teller"].get(address(pair, "teller", "partner"), headers=PART)
    assert not browsers["asker"].get(address(pair, "asker", "partner"), headers=PART).content.strip()
    assert browsers["asker"].get(address(pair, "asker", "partner")).url == address(pair, "asker")


def test_who_has_lost_the_partner_may_end_or_find_somebody_else(pair, browsers):
    away(pair, "teller", 95)
    answer = browsers["asker"].post(address(pair, "asker", "another"))
    assert answer.url == reverse("lobby", args=["toys", "talk"])
    assert pair.row("asker").state == "returned"
    assert browsers["asker"].get(answer.url).status_code == 200


def test_ending_while_the_partner_is_here_leads_back_to_the_work(pair, browsers):
    away(pair, "teller", 0)
    assert browsers["asker"].post(address(pair, "asker", "end")).url == address(pair, "asker")
    away(pair, "teller", 95)
    assert browsers["asker"].post(address(pair, "asker", "end")).url == "/"
    assert "You have ended this without your partner." in browsers["asker"].get("/").content.decode()


def test_after_the_partner_has_left_a_page_says_so_and_leads_to_the_lobby(pair, browsers):
    browsers["teller"].post(address(pair, "teller", "return"))
    gone = browsers["asker"].get(address(pair, "asker"), follow=True)
    assert gone.request["PATH_INFO"] == address(pair, "asker", "partner")
    assert "Your partner has left" in gone.content.decode()
    assert "data-gone" in browsers["asker"].get(address(pair, "asker", "partner"), headers=PART).content.decode()
    assert browsers["teller"].get(address(pair, "teller", "partner")).url == "/"
    lobby = browsers["asker"].post(address(pair, "asker", "another"), follow=True)
    assert "Looking for a partner" in lobby.content.decode()
