"""What was sent can be taken back until the partner has begun: it stays in the record, and counts no more."""

from __future__ import annotations

import pytest

from annotation import randomness
from annotation.engine.work import Work
from annotation.errors import AlreadyClosed, NotFound, StalePage, WrongMove
from annotation.models import Draft, Event, Response
from tasks.engine import skip_and_return, submitting
from tasks.engine.submitting import PageLoad
from tasks.pairs import taking_back
from tests.people import NOON
from tests.protocols.toy.building import Pair


@pytest.fixture
def pair(lobby):
    """The first turn is over, and the second has been asked."""
    made = Pair.seated(lobby.project)
    made.talk(until=1)
    made.say("asker", "ask-2", text="Zq3wrong")
    return made


def back(pair: Pair, step: str = "ask-2", seat: str = "asker") -> Work:
    row = pair.row(seat)
    return taking_back.take_back(row, step, by=row.annotator, now=NOON)


def save(pair: Pair, step: str = "tell-2", *, seen: int | None = None) -> Draft:
    row = pair.row("teller")
    seen = pair.work("teller").seen_at(step) if seen is None else seen
    tab = PageLoad(client=randomness.handle())
    return submitting.save_draft(row, step, {"text": "well"}, by=row.annotator, tab=tab, seq=1, seen=seen, now=NOON)


def said(pair: Pair) -> list[tuple[str, str]]:
    return [(entry.address, entry.payload.text) for entry in pair.work("asker").answers]


def test_it_no_longer_counts_and_is_the_draft_of_its_step_again(pair):
    back(pair)
    assert said(pair) == [("ask-1", "ask-1 by asker"), ("tell-1", "tell-1 by teller")]
    assert pair.work("asker").current == "ask-2"
    assert pair.work("teller").current is None
    assert pair.work("asker").draft("ask-2").data == {"text": "Zq3wrong"}
    assert not pair.work("asker").locked("ask-2")


def test_it_stays_in_the_record_with_a_record_of_its_own(pair):
    back(pair)
    rows = list(Response.objects.filter(turn=2).order_by("pk").values_list("revision", "schema", "payload"))
    assert rows == [(1, "toy.ask/1", {"text": "Zq3wrong"}), (2, "taken-back/1", {})]
    event = Event.objects.get(kind="annotation.taken_back")
    assert (event.by, event.data) == (pair.asker.pk, {"stage": "ask", "turn": 2})


def test_the_talk_goes_on_with_what_is_asked_instead(pair):
    back(pair)
    pair.say("asker", "ask-2", text="better")
    back(pair)
    pair.say("asker", "ask-2", text="best")
    pair.say("teller", "tell-2")
    assert said(pair)[2:] == [("ask-2", "best"), ("tell-2", "tell-2 by teller")]
    assert list(Response.objects.filter(turn=2, stage="ask").values_list("revision", flat=True).order_by("pk")) == [
        1,
        2,
        3,
        4,
        5,
    ]


def test_taking_it_back_twice_is_taking_it_back_once(pair):
    for _twice in range(2):
        back(pair)
    assert Response.objects.filter(schema="taken-back/1").count() == 1


def test_once_the_partner_has_saved_a_draft_it_is_being_answered(pair):
    save(pair)
    with pytest.raises(WrongMove, match="already being answered"):
        back(pair)
    assert said(pair)[-1] == ("ask-2", "Zq3wrong")


def test_once_it_is_answered_it_is_too_late(pair):
    pair.say("teller", "tell-2")
    with pytest.raises(WrongMove):
        back(pair)
    assert len(said(pair)) == 4


def test_the_partners_page_of_what_was_taken_back_is_out_of_date(pair):
    seen = pair.work("teller").seen_at("tell-2")
    back(pair)
    with pytest.raises(StalePage):
        save(pair, seen=seen)
    with pytest.raises(StalePage):
        pair.say("teller", "tell-2", seen=seen)
    assert not Draft.objects.filter(author=pair.teller).exists()


@pytest.mark.parametrize(("step", "seat"), [("ask-1", "asker"), ("tell-1", "teller"), ("ask-2", "teller")])
def test_only_what_one_sent_last_oneself_can_be_taken_back(pair, step, seat):
    with pytest.raises((NotFound, WrongMove)):
        back(pair, step, seat)
    assert len(said(pair)) == 3


def test_what_has_ended_is_not_taken_back(pair):
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=NOON)
    with pytest.raises(AlreadyClosed):
        back(pair)
