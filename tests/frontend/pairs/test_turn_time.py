"""What the page of a pair is told about the turn under way, and asking for more time over HTTP."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Event
from tasks.models import Assignment
from tasks.pairs import presence
from tests.protocols.toy.building import Pair

PART = {"X-Part": "1"}


@pytest.fixture
def pair(toys):
    """An asker who has the turn, since three minutes and a half, and a teller who waits."""
    return Pair.seated(toys, now=clock.now() - timedelta(seconds=210))


def browser(pair, seat):
    client = Client()
    client.force_login(getattr(pair, seat))
    return client


def told(pair, seat):
    """The part that the page polls, in one line."""
    answer = browser(pair, seat).get(reverse("partner", args=[pair.held[seat].uuid]), headers=PART)
    return " ".join(answer.content.decode().split())


def work_began(pair, seconds):
    at = clock.now() - timedelta(seconds=seconds)
    Assignment.objects.filter(annotation=pair.annotation).update(claimed_at=at, seen_at=clock.now())


def more(pair, seat):
    return browser(pair, seat).post(reverse("more_time", args=[pair.held[seat].uuid]))


@pytest.mark.parametrize(
    ("seconds", "asker", "teller"),
    [
        (30, "", "Your partner is thinking …"),
        (70, "There is no hurry.", "Your partner is thinking …"),
        (130, "I need more time", "Your partner is thinking …"),
        (190, "I need more time", "Your partner has done nothing for 3 minutes."),
    ],
)
def test_each_of_them_is_told_what_concerns_them(pair, seconds, asker, teller):
    work_began(pair, seconds)
    assert asker in told(pair, "asker")
    assert teller in told(pair, "teller")
    assert bool(asker) == bool(told(pair, "asker"))
    assert ("End here" in told(pair, "teller")) == (seconds > 180)


def test_who_asks_for_more_time_is_told_that_the_partner_knows(pair):
    work_began(pair, 130)
    assert more(pair, "asker").url == reverse("work", args=[pair.held["asker"].uuid])
    assert "Your partner knows" in told(pair, "asker")
    assert "needs a little more time" in told(pair, "teller")
    for seat in ("asker", "teller"):
        assert more(pair, seat).status_code == 302
    assert Event.objects.filter(kind="assignment.more_time").count() == 1


def test_the_page_reports_its_last_input_when_it_renews(pair):
    work_began(pair, 190)
    assert "has done nothing" in told(pair, "teller")
    mine = reverse("renew", args=[pair.held["asker"].uuid])
    assert browser(pair, "asker").post(mine, {"idle": "40"}).status_code == 200
    seen = Assignment.objects.get(pk=pair.held["asker"].pk)
    assert timedelta(seconds=39) <= clock.now() - seen.active_at <= timedelta(seconds=60)
    assert "thinking" in told(pair, "teller")


def test_after_both_were_away_each_is_told_so(pair):
    Assignment.objects.update(claimed_at=clock.now() - timedelta(minutes=11))
    presence.end_abandoned(now=clock.now())
    for seat in ("asker", "teller"):
        page = browser(pair, seat).get(reverse("work", args=[pair.held[seat].uuid]), follow=True).content.decode()
        assert "You and your partner were both away." in page
        assert "Find somebody else" in page
