"""When everybody has been away for ten minutes the work ends, what was said is kept, and both are told so later."""

from __future__ import annotations

import pytest

from annotation.models import Event, Response
from tasks import jobs
from tasks.engine import claiming
from tasks.pairs import leaving, presence
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project
from tests.tasks.pairs.visiting import Lobby, at

TEN = 600


@pytest.fixture
def pair(toys):
    return Pair.seated(toys)


def states(pair):
    return [pair.row(seat).state for seat in ("asker", "teller")]


def test_after_ten_minutes_without_either_it_ends_and_keeps_what_was_said(pair):
    pair.say("asker", "ask-1", now=at(30))
    assert presence.end_abandoned(now=at(TEN + 29)) == 0
    assert presence.end_abandoned(now=at(TEN + 30)) == 1
    assert states(pair) == ["returned", "returned"]
    assert (Response.objects.count(), pair.annotation.completed_at) == (1, None)
    assert pair.row("asker").task.state == "open"
    assert not [seat for seat in pair.held if pair.row(seat).lease.closed_at is None]
    reasons = Event.objects.filter(kind="assignment.returned").values_list("data", flat=True)
    assert [data["reason"] for data in reasons] == ["all_lost", "all_lost"]
    assert presence.end_abandoned(now=at(TEN + 31)) == 0


def test_a_project_may_keep_it_longer(db):
    pair = Pair.seated(toy_project("longer", activities={"talk": {"kept_minutes": 30}}))
    assert presence.end_abandoned(now=at(TEN)) == 0
    assert presence.end_abandoned(now=at(3 * TEN)) == 1
    assert states(pair) == ["returned", "returned"]


@pytest.mark.parametrize("seat", ["asker", "teller"])
def test_while_one_of_them_is_there_it_does_not_end(pair, seat):
    presence.note(pair.row(seat), now=at(300))
    assert presence.end_abandoned(now=at(TEN + 10)) == 0
    assert states(pair) == ["leased", "leased"]
    assert presence.end_abandoned(now=at(TEN + 300)) == 1


def test_both_are_told_and_get_their_old_place_in_line_for_an_hour(pair):
    presence.end_abandoned(now=at(TEN))
    for seat in ("asker", "teller"):
        assert presence.of_partners(pair.row(seat), now=at(TEN + 5)).state == "all_gone"
    assert leaving.find_another(pair.row("asker"), by=pair.asker, now=at(TEN + 5)).in_line_since == NOON
    assert leaving.why_not_find_another(pair.row("teller"), now=at(TEN + 3601)) == "too_late"


def test_the_job_ends_it_and_so_does_somebody_who_would_find_nothing(pair, monkeypatch):
    toys = pair.annotation.item.project
    for _ in range(7):
        Pair.seated(toys, "uma", "vic").talk()
    lobby = Lobby(toys)
    assert lobby.enters("wim", TEN).state == "waiting"
    assert states(pair) == ["returned", "returned"]
    other = Pair.seated(toys, "xia", "yan")
    monkeypatch.setattr("annotation.clock.now", lambda: at(TEN + 60))
    assert jobs.expire_leases() == 1
    assert states(other) == ["returned", "returned"]


def test_work_of_one_person_is_not_ended_by_it(pair):
    pair.talk()
    toys = pair.annotation.item.project
    held = claiming.claim(toys, "review", by=join(toys, "judy"), now=NOON)
    assert presence.end_abandoned(now=at(TEN)) == 0
    held.refresh_from_db()
    assert held.state == "leased"
