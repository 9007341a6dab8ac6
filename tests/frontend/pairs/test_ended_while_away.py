"""Home tells a person whose partner left while no page of theirs was open, until they have gone on with something."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from tasks.engine import skip_and_return
from tasks.pairs import lobby, presence
from tests.protocols.toy.building import Pair

LEFT = "Your partner has left"


def ago(**lasting: float):
    return clock.now() - timedelta(**lasting)


def left(toys, *, seconds: float = 60, begun=None, until: int = 0) -> Pair:
    """The asker has left a teller whose page was last heard of so many seconds before."""
    begun = begun or ago(minutes=10)
    pair = Pair.seated(toys, now=begun)
    pair.talk(until=until, now=begun)
    presence.note(pair.row("teller"), now=begun)
    row = pair.row("asker")
    skip_and_return.skip(row, by=row.annotator, reason="hard", text="", now=begun + timedelta(seconds=seconds))
    return pair


def home(person) -> str:
    client = Client()
    client.force_login(person)
    return " ".join(client.get(reverse("home")).content.decode().split())


def test_who_was_away_learns_at_home_that_the_partner_left_and_may_look_for_somebody_else(toys):
    pair = left(toys)
    page = home(pair.teller)
    assert LEFT in page
    assert f"In {toys.title}, while you were away." in page
    assert "You did nothing wrong. What you both sent is kept. The time that you spent on it counts." in page
    assert reverse("another_partner", args=[pair.held["teller"].uuid]) in page
    assert LEFT not in home(pair.asker)


@pytest.mark.parametrize(("seconds", "told"), [(14, False), (15, True)])
def test_only_after_three_polls_that_did_not_come_was_somebody_away(toys, seconds, told):
    assert (LEFT in home(left(toys, seconds=seconds).teller)) is told


@pytest.mark.parametrize(("minutes", "may"), [(59, True), (62, False)])
def test_the_old_place_in_line_is_offered_for_an_hour(toys, minutes, may):
    pair = left(toys, begun=ago(minutes=minutes))
    assert ("Find somebody else" in home(pair.teller)) is may


@pytest.mark.parametrize(("hours", "told"), [(1, True), (-1, False)])
def test_it_is_told_for_seven_days(toys, hours, told):
    pair = left(toys, begun=ago(days=7) + timedelta(hours=hours))
    assert (LEFT in home(pair.teller)) is told


def test_who_has_gone_on_since_is_not_told_any_more(toys):
    pair = left(toys)
    lobby.enter(toys, "talk", by=pair.teller, now=clock.now())
    assert LEFT not in home(pair.teller)


def test_who_was_away_like_the_partner_reads_that_both_were(toys):
    pair = Pair.seated(toys, now=ago(minutes=30))
    assert presence.end_abandoned(now=clock.now()) == 1
    for person in (pair.asker, pair.teller):
        assert "You and your partner were both away." in home(person)
