"""Two people make one annotation in turns: whose turn it is, what each sees, what makes a page stale."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.engine import drafts
from annotation.engine.drafts import PageLoad
from annotation.errors import KeyReused, NotFound, PayloadInvalid, StalePage
from annotation.models import Response
from annotation.values.records import Step, Waiting
from tasks.engine import assignments, leases, submitting
from tasks.engine import submitting as drafting
from tests.people import NOON


def test_one_has_a_step_to_answer_and_the_other_waits_for_it(pair):
    assert pair.work("asker").following == Step("ask", 1, "asker")
    assert pair.work("teller").following == Waiting(Step("ask", 1, "asker"))
    pair.say("asker", "ask-1")
    assert pair.work("asker").following == Waiting(Step("tell", 1, "teller"))
    assert pair.work("teller").following == Step("tell", 1, "teller")


def test_the_committer_is_told_to_wait_and_does_not_get_the_partners_step(pair):
    outcome = pair.say("asker", "ask-1")
    assert (outcome.next_step, outcome.following) == (None, Waiting(Step("tell", 1, "teller")))
    assert outcome.work.sheet_while_waiting().fact == ""


def test_sheets_differ_by_seat_at_the_same_moment(pair):
    pair.talk(until=1)
    asks, waits = pair.work("asker").sheet("ask-2"), pair.work("teller").sheet_while_waiting()
    assert asks.lines == waits.lines == (("ask", "ask-1 by asker"), ("tell", "tell-1 by teller"))
    assert (asks.fact, asks.reasons) == ("", ())
    assert waits.fact.startswith("Zq2fact")
    assert waits.reasons == ("tell-1 by teller, since",)


def test_nobody_can_open_a_partners_step(pair):
    pair.say("asker", "ask-1")
    for seat, step in (("asker", "tell-1"), ("teller", "ask-1"), ("teller", "ask-2"), ("asker", "ask-2")):
        with pytest.raises(NotFound):
            pair.work(seat).sheet(step)
    row = pair.row("asker")
    with pytest.raises((NotFound, StalePage)):
        submitting.commit(
            row, "tell-1", {"text": "x", "reason": ""}, by=row.annotator, key=randomness.handle(), seen=1, now=NOON
        )
    assert Response.objects.count() == 1


def test_a_partners_answer_between_two_of_mine_makes_no_page_of_mine_stale(pair):
    seen = pair.work("asker").seen_at("ask-1")
    pair.say("asker", "ask-1", seen=seen)
    pair.say("teller", "tell-1")
    pair.say("asker", "ask-2", seen=pair.work("asker").seen_at("ask-2"))
    waiting_since = pair.work("teller").seen_at("tell-2")
    pair.say("teller", "tell-2", seen=waiting_since)
    assert [row.revision for row in Response.objects.all()] == [1, 1, 1, 1]


def test_a_second_turn_of_a_stage_is_not_a_revision_of_the_first(pair):
    pair.talk(until=2)
    assert list(Response.objects.values_list("stage", "turn", "revision", "seat").order_by("pk")) == [
        ("ask", 1, 1, "asker"),
        ("tell", 1, 1, "teller"),
        ("ask", 2, 1, "asker"),
        ("tell", 2, 1, "teller"),
    ]
    assert [entry.address for entry in pair.work("asker").answers] == ["ask-1", "tell-1", "ask-2", "tell-2"]


def test_revising_a_turn_voids_later_stages_of_that_turn_and_no_other_turn(pair):
    pair.talk(until=2)
    pair.say("teller", "tell-1", text="on second thoughts")
    said = pair.work("asker").answers
    assert [entry.address for entry in said] == ["ask-1", "tell-1", "ask-2", "tell-2"]
    assert said[1].payload.text == "on second thoughts"
    pair.say("asker", "ask-1", text="asked otherwise")
    assert [entry.address for entry in pair.work("asker").answers] == ["ask-1", "ask-2", "tell-2"]
    assert pair.work("teller").following == Step("tell", 1, "teller")


def test_a_page_is_stale_once_its_own_turn_was_answered_elsewhere(pair):
    seen = pair.work("asker").seen_at("ask-1")
    pair.say("asker", "ask-1")
    with pytest.raises(StalePage):
        pair.say("asker", "ask-1", seen=seen, text="from the older tab")


def test_a_page_that_revises_a_turn_is_stale_once_the_partner_has_answered_in_it(pair):
    pair.say("asker", "ask-1")
    seen = pair.work("asker").seen_at("ask-1")
    pair.say("teller", "tell-1")
    with pytest.raises(StalePage):
        pair.say("asker", "ask-1", seen=seen, text="too late to ask otherwise unseen")


def test_a_turn_submitted_twice_takes_effect_once(pair):
    key = randomness.handle()
    first = pair.say("asker", "ask-1", key=key, seen=0)
    pair.say("teller", "tell-1")
    again = pair.say("asker", "ask-1", key=key, seen=0)
    assert (first.replayed, again.replayed, Response.objects.count()) == (False, True, 2)
    with pytest.raises(KeyReused):
        pair.say("asker", "ask-2", key=key)


def test_the_check_of_a_turn_knows_the_turns_before_it(pair):
    pair.say("asker", "ask-1", text="who?")
    pair.say("teller", "tell-1")
    with pytest.raises(PayloadInvalid) as refused:
        pair.say("asker", "ask-2", text="who?")
    assert refused.value.problems[0].code == "asked_before"


def test_each_turn_and_each_person_has_a_draft_of_their_own(pair):
    tab = PageLoad(client=randomness.handle())
    row, data = pair.row("asker"), {"text": "draft of ask-1"}
    drafting.save_draft(row, "ask-1", data, by=row.annotator, tab=tab, seq=1, seen=0, now=NOON)
    assert pair.work("asker").draft("ask-1").data == {"text": "draft of ask-1"}
    assert pair.work("asker").draft("ask-2") is None
    assert pair.work("teller").draft("ask-1") is None
    with pytest.raises(NotFound):
        drafts.save_draft(
            pair.work("teller"), author=pair.teller, step="ask-1", client=tab.client, seq=1, data={}, now=NOON
        )


def test_somebody_who_waits_keeps_the_lease_while_the_partner_works(pair):
    later = NOON + timedelta(minutes=15)
    pair.say("asker", "ask-1", now=later)
    ends = {pair.row(seat).lease.expires_at for seat in ("asker", "teller")}
    assert ends == {later + timedelta(minutes=20)}
    leases.renew(pair.row("teller").lease, now=later + timedelta(minutes=10))
    assert leases.expire_overdue(now=later + timedelta(minutes=25)) == 0


def test_the_sheet_of_an_earlier_turn_shows_nothing_of_the_later_ones(pair):
    pair.talk(until=2)
    earlier = pair.work("asker").sheet("ask-2")
    assert [text for _stage, text in earlier.lines] == ["ask-1 by asker", "tell-1 by teller"]
    assert assignments.work_of(pair.row("asker")).sheet("ask-1").lines == ()
