"""Who is seated together at which topic, and what follows from a finished talk: its task, new items, the history."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import clock, randomness
from annotation.errors import AlreadyClosed, NotEligible, NotFound
from annotation.models import Event, Item, Role
from annotation.values.records import Step
from annotation.worktime.totals import today_of
from tasks import corrections
from tasks.disputes import deciding
from tasks.engine import claiming, eligibility, leases, queues
from tasks.models import Assignment, Task
from tasks.pairs import matching
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project


def test_two_people_hold_one_annotation_in_two_seats(pair):
    asker, teller = pair.row("asker"), pair.row("teller")
    assert asker.annotation == teller.annotation
    assert (asker.annotation.author, asker.slot, teller.slot) == (None, 0, 1)
    assert (asker.task.slots, asker.task.state) == (2, "full")
    assert asker.lease != teller.lease


def test_nobody_is_seated_alone(toys):
    with pytest.raises(NotFound):
        claiming.claim(toys, "talk", by=join(toys, "uma"), now=NOON)


def test_seating_refuses_people_who_are_not_eligible_or_already_at_work(toys, pair, mallory):
    for person, reason in ((mallory, "not_a_member"), (pair.teller, "at_work")):
        with pytest.raises(NotEligible) as refused:
            matching.seat(toys, "talk", [join(toys, "uma"), person], now=NOON)
        assert refused.value.reason == reason
    assert eligibility.why_not_claim(mallory, toys, "talk") == "not_a_member"
    with pytest.raises(ValueError, match="2 different people"):
        matching.seat(toys, "talk", [pair.asker, pair.asker], now=NOON)


def test_nobody_gets_a_topic_again_that_they_have_talked_about(toys, pair):
    pair.talk()
    topics = {pair.row("asker").task.item_id}
    for _ in range(7):
        again = Pair.seated(toys, "ann", "tom")
        topics.add(again.row("asker").task.item_id)
        again.talk()
    assert len(topics) == 8
    assert matching.seat(toys, "talk", [pair.asker, pair.teller], now=NOON) == ()


def test_people_who_talked_about_a_topic_never_judge_its_talks(toys, pair):
    pair.talk()
    assert isinstance(claiming.claim(toys, "review", by=pair.teller, now=NOON), claiming.NoWork)
    judge = join(toys, "judy")
    assert claiming.claim(toys, "review", by=judge, now=NOON).task.item.kind == "talks"


def test_the_last_answer_submits_every_seat_and_settles_the_task(pair, toys):
    pair.talk()
    assert {pair.row(seat).state for seat in ("asker", "teller")} == {"submitted"}
    assert all(pair.row(seat).lease.closed_at == NOON for seat in ("asker", "teller"))
    assert pair.annotation.completed_at == NOON
    assert pair.row("asker").task.state == "done"


def test_each_answer_keeps_its_seat_and_turn_and_is_the_first_of_its_step(pair):
    pair.talk(until=2)
    said = list(pair.annotation.responses.order_by("pk").values_list("stage", "turn", "seat", "author", "revision"))
    asker, teller = pair.asker.pk, pair.teller.pk
    assert said == [
        row for turn in (1, 2) for row in (("ask", turn, "asker", asker, 1), ("tell", turn, "teller", teller, 1))
    ]


def test_the_key_of_an_answer_is_its_authors_and_a_partner_may_send_the_same(pair):
    key = randomness.handle()
    pair.say("asker", "ask-1", key=key)
    assert not pair.say("teller", "tell-1", key=key).replayed
    assert pair.say("teller", "tell-1", key=key, seen=1).replayed
    assert pair.annotation.responses.filter(submission_key=key).count() == 2


def test_an_answer_takes_the_time_since_the_partner_answered(pair):
    for number, (seat, step) in enumerate((("asker", "ask-1"), ("teller", "tell-1"), ("asker", "ask-2"))):
        pair.say(seat, step, now=NOON + timedelta(seconds=10 * (number + 1) + number))
    assert list(pair.annotation.responses.order_by("pk").values_list("seconds", flat=True)) == [10, 11, 11]


def test_an_answer_renews_the_leases_of_both_and_of_nobody_else(toys, pair):
    other = Pair.seated(toys, "uma", "vic")
    before = pair.row("asker").lease.expires_at
    pair.say("asker", "ask-1", now=NOON + timedelta(minutes=7))
    for seat in ("asker", "teller"):
        assert pair.row(seat).lease.expires_at == before + timedelta(minutes=7)
        assert other.row(seat).lease.expires_at == before


def test_what_expired_for_both_is_not_continued_by_one(pair):
    pair.say("asker", "ask-1")
    leases.expire_overdue(now=NOON + timedelta(days=1))
    for seat, step in (("teller", "tell-1"), ("asker", "ask-1")):
        with pytest.raises(AlreadyClosed):
            pair.say(seat, step, now=NOON + timedelta(days=1))
    assert pair.annotation.responses.count() == 1


def test_finished_today_counts_joint_work(pair):
    now = clock.now()
    pair.talk(now=now)
    assert [today_of(person, now=now).finished for person in (pair.asker, pair.teller)] == [1, 1]


def test_two_talks_about_a_topic_need_four_slots_and_two_annotations(db):
    toys = toy_project("others", activities={"talk": {"overlap": {"train": 2}, "draw": "in_order"}})
    first = Pair.seated(toys, "una", "tim")
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


def test_talks_about_the_same_topic_in_two_projects_lead_to_an_item_in_each_with_its_split(db):
    made = []
    for slug, split in (("one", "train"), ("two", "dev")):
        toys = toy_project(slug, split=split, activities={"talk": {"overlap": {split: 1}, "draw": "in_order"}})
        pair = Pair.seated(toys, f"ann-{slug}", f"tom-{slug}")
        pair.talk()
        made.append(Item.objects.get(project=toys, kind="talks"))
        assert (made[-1].root_id, made[-1].split) == (pair.row("asker").task.item_id, split)
        assert made[-1].position == pair.row("asker").task.item.position
    assert made[0].external_id == made[1].external_id


def test_a_voided_talk_is_not_in_what_the_other_talks_lead_to(db):
    toys = toy_project("others", activities={"talk": {"overlap": {"train": 2}, "draw": "in_order"}})
    voided = Pair.seated(toys, "una", "tim")
    voided.talk()
    corrections.void(toys, voided.annotation.uuid, by=None, reason="not on the topic", now=NOON)
    for names in (("uma", "vic"), ("wim", "xia")):
        pair = Pair.seated(toys, *names)
        assert pair.row("asker").task == voided.row("asker").task
        pair.talk()
    assert len(Item.objects.get(kind="talks").payload["lines"]) == 2 * 6


def two_talks_that_differ():
    """A project in which two talks about one topic agree too little, and the two."""
    toys = toy_project("others", activities={"talk": {"overlap": {"train": 2}, "draw": "in_order"}})
    toys.queues.filter(activity="talk").update(least_agreement=0.9)
    first, second = Pair.seated(toys, "una", "tim"), Pair.seated(toys, "uma", "vic")
    first.talk()
    for turn in (1, 2, 3):
        second.say("asker", f"ask-{turn}", text=f"something else {turn}")
        second.say("teller", f"tell-{turn}", text=f"otherwise {turn}")
    return toys, first, second


def test_a_task_whose_talks_agree_too_little_is_disputed_and_creates_nothing(db):
    _toys, _first, second = two_talks_that_differ()
    assert second.row("asker").task.state == "disputed"
    assert not Item.objects.filter(kind="talks").exists()


def test_what_is_made_when_a_dispute_is_decided_days_later_is_handed_out(db):
    toys, first, second = two_talks_that_differ()
    later = NOON + timedelta(days=2)
    queues.fill(toys.queues.get(activity="review"), now=later)
    task, lena = second.row("asker").task, join(toys, "lena", Role.LEAD)
    deciding.decide(task, first.annotation.uuid, by=lena, reason="It is on the topic.", now=later)
    queues.fill(toys.queues.get(activity="review"), now=later)
    assert Task.objects.filter(item__kind="talks", activity="review").exists()


def test_a_lead_re_opens_a_talk_for_both_and_leaving_it_submits_it_again(toys, pair):
    pair.talk()
    Item.objects.filter(kind="talks").update(made_from=None)
    corrections.reopen(toys, pair.annotation.uuid, by=None, reason="look again", now=NOON)
    assert {pair.row(seat).state for seat in ("asker", "teller")} == {"leased"}
    assert pair.work("teller").following == Step("tell", 3, "teller")
    assert pair.work("asker").following == Step("ask", 3, "asker")
    pair.say("teller", "tell-3", text="better said")
    assert {pair.row(seat).state for seat in ("asker", "teller")} == {"submitted"}
    assert pair.work("asker").answers[-1].payload.text == "better said"


def test_the_history_of_a_talk_is_in_order_and_names_its_project(toys, pair):
    pair.talk()
    events = Event.objects.order_by("pk")
    assert not events.filter(project_id=None).exclude(kind__startswith="guidelines").exists()
    kinds = list(events.filter(kind__startswith="assignment.").values_list("kind", flat=True))
    assert kinds == ["assignment.claimed"] * 2 + ["assignment.submitted"] * 2
    assert Assignment.objects.filter(state="submitted").count() == 2
