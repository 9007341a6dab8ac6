"""A lead pauses the work of pairs from the project's page; the pair and the lobby read so, and until when."""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Role
from tasks.models import Assignment, Pause
from tests.factories.work import PauseFactory
from tests.people import join
from tests.protocols.toy.building import Pair, toy_project

PART = {"X-Part": "1"}


@pytest.fixture(scope="module")
def seated_once(shared_rows):
    return Pair.seated(toy_project(), now=clock.now())


@pytest.fixture
def pair(seated_once, db):
    return deepcopy(seated_once)


@pytest.fixture
def toys(pair):
    return pair.annotation.item.project


def browser(toys, name, role=Role.ANNOTATOR):
    client = Client()
    client.force_login(join(toys, name, role))
    return client


def text(answer):
    return " ".join(answer.content.decode().split())


def told(toys, pair, seat):
    person = getattr(pair, seat).username
    return text(browser(toys, person).get(reverse("partner", args=[pair.held[seat].uuid]), headers=PART))


def test_both_partners_and_the_lobby_read_of_the_pause_and_no_longer_after_it(toys, pair):
    lena, wim = browser(toys, "lena", Role.LEAD), browser(toys, "wim")
    wim.post(reverse("enter_lobby", args=["toys", "talk"]))
    page = text(lena.post(reverse("pause", args=["toys"]), follow=True))
    assert "Go on now" in page
    for read in (told(toys, pair, "asker"), told(toys, pair, "teller")):
        assert "A lead has paused this until <time" in read
    lobby = reverse("lobby", args=["toys", "talk"])
    assert "A lead has paused this until <time" in text(wim.get(lobby, headers=PART))
    assert "Pause the work of pairs" in text(lena.post(reverse("resume", args=["toys"]), follow=True))
    assert not any("paused" in told(toys, pair, seat) for seat in pair.held)
    assert "paused" not in text(wim.get(lobby, headers=PART))


def test_in_a_pause_nobody_is_shown_a_lost_partner_or_a_reminder(toys, pair):
    ago = clock.now() - timedelta(minutes=5)
    Assignment.objects.update(claimed_at=ago, seen_at=ago)
    assert "End here" in told(toys, pair, "asker")
    PauseFactory(project=toys, began_at=clock.now(), ends_at=clock.now() + timedelta(minutes=15))
    assert "End here" not in told(toys, pair, "asker")
    assert "paused" in told(toys, pair, "asker")


def test_only_a_lead_of_the_project_may_pause_it(toys, pair):
    other = browser(toy_project("others"), "otto", Role.LEAD)
    for person in (browser(toys, "ann"), other):
        assert {person.post(reverse(name, args=["toys"])).status_code for name in ("pause", "resume")} == {404}
    assert not Pause.objects.exists()


def test_a_project_in_which_nobody_works_together_shows_no_pause(nq, lena):
    lead = Client()
    lead.force_login(lena)
    assert "Pause the work of pairs" not in text(lead.get(reverse("project", args=[nq.slug])))
