"""Two people make one annotation in turns: whose turn it is, what each sees, what makes a page stale, who leaves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import clock, drafts, randomness
from annotation.drafts import Tab
from annotation.errors import AlreadyClosed, KeyReused, NotEligible, NotFound, PayloadInvalid, StalePage
from annotation.models import Event, Item, Response
from annotation.records import Step, Waiting
from annotation.worktime.today import today_of
from tasks import assignments, claiming, corrections, eligibility, leases, skip_and_return, submitting
from tasks import drafts as drafting
from tasks.models import Assignment, Task
from tasks.pairs import seating
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project


@pytest.fixture
def toys(db):
    return toy_project()


@pytest.fixture
def pair(toys):
    return Pair.seated(toys)


def test_two_people_hold_one_annotation_in_two_seats(pair):
    asker, teller = pair.row("asker"), pair.row("teller")
    assert asker.annotation == teller.annotation
    assert (asker.annotation.author, asker.slot, teller.slot) == (None, 0, 1)
    assert (asker.task.slots, asker.task.state) == (2, "full")
    assert asker.lease != teller.lease


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
    assert [entry.address for entry in pair.work("asker").said] == ["ask-1", "tell-1", "ask-2", "tell-2"]


def test_revising_a_turn_voids_later_stages_of_that_turn_and_no_other_turn(pair):
    pair.talk(until=2)
    pair.say("teller", "tell-1", text="on second thoughts")
    said = pair.work("asker").said
    assert [entry.address for entry in said] == ["ask-1", "tell-1", "ask-2", "tell-2"]
    assert said[1].payload.text == "on second thoughts"
    pair.say("asker", "ask-1", text="asked otherwise")
    assert [entry.address for entry in pair.work("asker").said] == ["ask-1", "ask-2", "tell-2"]
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
    tab = Tab(client=randomness.handle())
    for seat, step in (("asker", "ask-1"),):
        row, data = pair.row(seat), {"text": f"draft of {step}"}
        drafting.save(row, step, data, by=row.annotator, tab=tab, seq=1, seen=0, now=NOON)
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


def test_the_last_answer_submits_every_seat_and_settles_the_task(pair, toys):
    pair.talk()
    assert {pair.row(seat).state for seat in ("asker", "teller")} == {"submitted"}
    assert all(pair.row(seat).lease.closed_at == NOON for seat in ("asker", "teller"))
    assert pair.annotation.completed_at == NOON
    assert pair.row("asker").task.state == "done"


def test_finished_today_counts_joint_work(pair):
    now = clock.now()
    pair.talk(now=now)
    assert [today_of(person, now=now).finished for person in (pair.asker, pair.teller)] == [1, 1]


def test_nobody_gets_a_topic_again_that_they_have_talked_about(toys, pair):
    pair.talk()
    topics = {pair.row("asker").task.item_id}
    for _ in range(7):
        again = Pair.seated(toys, "ann", "tom")
        topics.add(again.row("asker").task.item_id)
        again.talk()
    assert len(topics) == 8
    assert seating.seat(toys, "talk", [pair.asker, pair.teller], now=NOON) == ()


def test_people_who_talked_about_a_topic_never_judge_its_talks(toys, pair):
    pair.talk()
    assert isinstance(claiming.claim(toys, "review", by=pair.teller, now=NOON), claiming.NoWork)
    judge = join(toys, "judy")
    assert claiming.claim(toys, "review", by=judge, now=NOON).task.item.kind == "talks"


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
    assert others.work("teller").said == ()


def test_a_skip_in_a_pair_can_not_be_undone(pair):
    row = pair.row("asker")
    skip_and_return.skip(row, by=row.annotator, reason="hard", text="", now=NOON)
    with pytest.raises(AlreadyClosed):
        skip_and_return.undo_skip(pair.row("asker"), by=pair.asker, now=NOON)


def test_two_talks_about_a_topic_need_four_slots_and_two_annotations(db):
    toys = toy_project(activities={"talk": {"overlap": {"train": 2}, "draw": "in_order"}})
    first = Pair.seated(toys, "ann", "tom")
    task = first.row("asker").task
    assert (task.slots, task.state) == (4, "open")
    first.talk()
    assert Task.objects.get(pk=task.pk).state == "open"
    second = Pair.seated(toys, "uma", "vic")
    assert second.row("asker").task == task
    assert [second.row(seat).slot for seat in ("asker", "teller")] == [2, 3]
    assert not Item.objects.filter(kind="talks").exists()
    second.talk()
    assert Task.objects.get(pk=task.pk).state == "done"
    made = Item.objects.get(kind="talks")
    assert made.payload["lines"] == [
        f"{step}-{turn} by {seat}"
        for _talk in range(2)
        for turn in (1, 2, 3)
        for step, seat in (("ask", "asker"), ("tell", "teller"))
    ]
    assert (made.root_id, made.made_from) == (task.item_id, second.annotation)


def test_a_task_whose_talks_agree_too_little_is_disputed_and_creates_nothing(db):
    toys = toy_project(activities={"talk": {"overlap": {"train": 2}, "draw": "in_order"}})
    toys.queues.filter(activity="talk").update(least_agreement=0.9)
    first, second = Pair.seated(toys, "ann", "tom"), Pair.seated(toys, "uma", "vic")
    first.talk()
    for turn in (1, 2, 3):
        second.say("asker", f"ask-{turn}", text=f"something else {turn}")
        second.say("teller", f"tell-{turn}", text=f"otherwise {turn}")
    assert second.row("asker").task.state == "disputed"
    assert not Item.objects.filter(kind="talks").exists()


def test_seating_refuses_people_who_are_not_eligible_or_already_at_work(toys, pair, mallory):
    for person, reason in ((mallory, "not_a_member"), (pair.teller, "at_work")):
        with pytest.raises(NotEligible) as refused:
            seating.seat(toys, "talk", [join(toys, "uma"), person], now=NOON)
        assert refused.value.reason == reason
    assert eligibility.why_not_claim(mallory, toys, "talk") == "not_a_member"
    with pytest.raises(ValueError, match="2 different people"):
        seating.seat(toys, "talk", [pair.asker, pair.asker], now=NOON)


def test_a_lead_re_opens_a_talk_for_both_and_leaving_it_submits_it_again(toys, pair):
    pair.talk()
    Item.objects.filter(kind="talks").update(made_from=None)
    corrections.reopen(toys, pair.annotation.uuid, by=None, reason="look again", now=NOON)
    assert {pair.row(seat).state for seat in ("asker", "teller")} == {"leased"}
    assert pair.work("teller").following == Step("tell", 3, "teller")
    assert pair.work("asker").following == Step("ask", 3, "asker")
    pair.say("teller", "tell-3", text="better said")
    assert {pair.row(seat).state for seat in ("asker", "teller")} == {"submitted"}
    assert pair.work("asker").said[-1].payload.text == "better said"


def test_the_history_of_a_talk_is_in_order_and_names_its_project(toys, pair):
    pair.talk()
    events = Event.objects.order_by("pk")
    assert not events.filter(project_id=None).exclude(kind__startswith="guidelines").exists()
    kinds = list(events.filter(kind__startswith="assignment.").values_list("kind", flat=True))
    assert kinds == ["assignment.claimed"] * 2 + ["assignment.submitted"] * 2
    assert Assignment.objects.filter(state="submitted").count() == 2


def test_the_sheet_of_an_earlier_turn_shows_nothing_of_the_later_ones(pair):
    pair.talk(until=2)
    earlier = pair.work("asker").sheet("ask-2")
    assert [text for _stage, text in earlier.lines] == ["ask-1 by asker", "tell-1 by teller"]
    assert assignments.work_of(pair.row("asker")).sheet("ask-1").lines == ()


def test_nobody_is_seated_alone(toys):
    with pytest.raises(NotFound):
        claiming.claim(toys, "talk", by=join(toys, "ann"), now=NOON)
