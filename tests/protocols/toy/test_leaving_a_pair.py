"""One of two people leaves a talk: the other is released, what was said stays, and others get the topic."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import AlreadyClosed
from annotation.models import Case, Event, Response
from tasks.engine import leases, skip_and_return
from tests.people import NOON
from tests.protocols.toy.building import Pair, toy_project
from tests.protocols.toy.protocol import TURNS


@pytest.mark.parametrize("leaver", ["asker", "teller"])
@pytest.mark.parametrize("how", ["skip", "give back", "time"])
def test_when_one_leaves_the_partner_is_released_and_what_was_said_stays(toys, pair, leaver, how):
    pair.talk(until=1)
    stays = "teller" if leaver == "asker" else "asker"
    row = pair.row(leaver)
    if how == "skip":
        skip_and_return.skip(row, by=row.annotator, reason="hard", text="", now=NOON)
    elif how == "give back":
        skip_and_return.give_back(row, by=row.annotator, now=NOON)
    else:
        leases.expire_early(row.lease, now=NOON + timedelta(minutes=1))
    assert pair.row(stays).state == "returned"
    assert pair.row(leaver).state == {"skip": "skipped", "give back": "returned", "time": "expired"}[how]
    event = Event.objects.get(kind="assignment.returned", subject=f"assignment:{pair.row(stays).uuid}")
    assert event.data["reason"] == "partner_left"
    assert pair.row(stays).lease.closed_at is not None
    assert pair.row(leaver).task.state == "open"
    assert (Response.objects.count(), pair.annotation.completed_at) == (2, None)


def test_after_a_partner_left_nothing_more_is_written_and_others_get_the_topic(toys, pair):
    pair.say("asker", "ask-1")
    task = pair.row("asker").task
    leases.expire_early(pair.row("asker").lease, now=NOON)
    with pytest.raises(AlreadyClosed):
        pair.say("asker", "ask-1", text="late")
    with pytest.raises(AlreadyClosed):
        pair.say("teller", "tell-1", seen=1)
    others = Pair.seated(toys, "uma", "vic")
    assert others.row("asker").task == task
    assert others.annotation != pair.annotation
    assert others.work("teller").answers == ()


def test_a_skip_in_a_pair_cannot_be_undone(pair):
    row = pair.row("asker")
    skip_and_return.skip(row, by=row.annotator, reason="hard", text="", now=NOON)
    with pytest.raises(AlreadyClosed):
        skip_and_return.undo_skip(pair.row("asker"), by=pair.asker, now=NOON)


@pytest.mark.parametrize(("turns", "finished"), [(1, False), (2, True)])
def test_a_project_says_after_how_many_turns_a_talk_counts_though_somebody_leaves(db, turns, finished):
    pair = Pair.seated(toy_project("others", enough_turns=2), "uma", "vic")
    pair.talk(until=turns)
    skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=NOON)
    assert (pair.annotation.completed_at == NOON) is finished
    assert not Case.objects.exists()


@pytest.mark.parametrize(("split", "turns", "cases"), [("dev", 2, 1), ("dev", TURNS, 0), ("train", 2, 0)])
def test_of_which_items_a_lead_has_to_accept_what_ended_early_is_up_to_the_protocol(db, split, turns, cases):
    pair = Pair.seated(toy_project("others", split=split, enough_turns=2), "uma", "vic")
    pair.talk(until=turns)
    if turns < TURNS:
        skip_and_return.give_back(pair.row("teller"), by=pair.teller, now=NOON)
    assert pair.annotation.completed_at == NOON
    assert Case.objects.filter(annotation=pair.annotation).count() == cases
