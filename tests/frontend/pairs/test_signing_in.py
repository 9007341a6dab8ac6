"""A page whose sign-in has ended tells the partner so, with its signed address and nothing else."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Membership, User
from tasks.models import Assignment
from tasks.pairs import presence
from tests.protocols.toy.building import Pair, toy_project

PART = {"X-Part": "1"}


@pytest.fixture
def pair(db):
    return Pair.seated(toy_project(), now=clock.now())


def browser(pair, seat):
    client = Client()
    client.force_login(getattr(pair, seat))
    return client


def told(pair, seat):
    """The part that the page polls, in one line."""
    answer = browser(pair, seat).get(reverse("partner", args=[pair.held[seat].uuid]), headers=PART)
    return " ".join(answer.content.decode().split())


def address(pair, seat):
    """The signed address in the person's page."""
    page = browser(pair, seat).get(reverse("work", args=[pair.held[seat].uuid]), follow=True).content.decode()
    return re.search(r'data-signing-in="([^"]+)"', page)[1]


def test_the_partner_reads_it_until_the_page_polls_again_or_falls_silent(pair):
    here = address(pair, "teller")
    assert Client().post(here).status_code == 204
    assert "Your partner is signing in again." in told(pair, "asker")
    told(pair, "teller")
    assert "signing in" not in told(pair, "asker")
    ago = clock.now() - timedelta(seconds=40)
    Assignment.objects.update(claimed_at=ago, seen_at=ago, signing_in_at=clock.now() - timedelta(seconds=16))
    assert "interrupted" in told(pair, "asker")


def test_a_socket_that_is_still_open_does_not_hide_it(pair):
    assert Client().post(address(pair, "teller")).status_code == 204
    presence.note_all([pair.held["teller"].pk], now=clock.now() + timedelta(seconds=1))
    assert "Your partner is signing in again." in told(pair, "asker")


def test_it_is_no_sign_that_the_person_is_here(pair):
    here = address(pair, "teller")
    ago = clock.now() - timedelta(seconds=95)
    Assignment.objects.update(claimed_at=ago, seen_at=ago)
    Client().post(here)
    assert presence.of_partners(pair.row("asker"), now=clock.now()).state == "lost"
    assert "End here" in told(pair, "asker")


def test_without_the_signed_address_of_that_page_nobody_can_say_so(pair):
    asker, teller = address(pair, "asker"), address(pair, "teller")
    uuid = str(pair.held["teller"].uuid)
    forged = (asker.replace(str(pair.held["asker"].uuid), uuid), f"/work/{uuid}/signing-in/{'x' * 43}/")
    assert {Client().post(url).status_code for url in forged} == {404}
    assert Client(enforce_csrf_checks=True).post(teller).status_code == 403
    assert pair.row("teller").signing_in_at is None


def test_the_address_is_of_no_use_once_the_work_is_over(pair):
    here = address(pair, "teller")
    pair.talk(now=clock.now())
    assert Client().post(here).status_code == 404


def test_the_address_is_of_no_use_to_somebody_who_may_not_go_on(pair):
    here, teller = address(pair, "teller"), pair.teller
    User.objects.filter(pk=teller.pk).update(is_active=False)
    assert Client().post(here).status_code == 404
    User.objects.filter(pk=teller.pk).update(is_active=True)
    Membership.objects.filter(user=teller).update(ended_at=clock.now())
    assert Client().post(here).status_code == 404
    assert pair.row("teller").signing_in_at is None


def test_a_page_that_says_it_all_the_time_is_written_seldom(pair):
    now, row = clock.now(), pair.row("teller")
    presence.note_signing_in(row, now=now)
    presence.note_signing_in(row, now=now + timedelta(seconds=1))
    assert pair.row("teller").signing_in_at == now
    presence.note_signing_in(row, now=now + timedelta(seconds=5))
    assert pair.row("teller").signing_in_at == now + timedelta(seconds=5)
