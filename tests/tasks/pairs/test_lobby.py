"""People in the lobby are found for each other in the order in which they came, say they are here, and are seated."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotation.errors import NotEligible, NotFound
from annotation.models import Event, Membership, Role
from tasks.engine.no_work import NoWork
from tasks.items import reports
from tasks.models import Assignment, Task, Ticket
from tasks.pairs import leaving, waiting
from tasks.pairs import lobby as lobbies
from tests.factories.work import TicketFactory
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project
from tests.tasks.pairs.visiting import Lobby, at


def test_two_people_who_say_that_they_are_here_are_seated_at_one_topic(lobby):
    assert lobby.enters("ann").state == "waiting"
    assert lobby.enters("tom", 20).state == "offered"
    assert lobby.is_here("ann", 25).state == "offered"
    assert lobby.is_here("tom", 30).state == "seated"
    ann, tom = lobby.ticket("ann"), lobby.ticket("tom")
    assert {ann.assignment.seat, tom.assignment.seat} == {"asker", "teller"}
    assert ann.assignment.annotation == tom.assignment.annotation
    assert (ann.waited(at(999)), tom.waited(at(999))) == (timedelta(seconds=30), timedelta(seconds=10))
    kinds = Event.objects.filter(subject=f"ticket:{ann.pk}").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["ticket.entered", "ticket.offered", "ticket.confirmed", "ticket.seated"]


def test_who_came_first_is_found_first(lobby):
    for seconds, name in enumerate(("ann", "tom", "uma", "vic", "wim")):
        lobby.enters(name, seconds)
    assert lobby.line() == ["ann offered", "tom offered", "uma offered", "vic offered", "wim waiting"]
    assert lobby.ticket("ann").offer == lobby.ticket("tom").offer != lobby.ticket("uma").offer


def test_entering_or_saying_it_twice_changes_nothing(lobby):
    first = lobby.enters("ann")
    assert lobby.enters("ann", 10) == first
    lobby.enters("tom", 12)
    for name in ("ann", "ann", "tom", "tom"):
        lobby.is_here(name, 13)
    assert Assignment.objects.count() == 2
    assert Ticket.objects.count() == 2
    assert Event.objects.filter(kind="ticket.confirmed").count() == 2


def test_who_does_not_answer_goes_to_the_end_once_and_then_out_and_the_other_keeps_their_place(lobby):
    lobby.enters("ann")
    lobby.enters("tom", 1)
    lobby.is_here("ann", 2)
    lobby.polls("tom", 20)
    assert lobby.polls("ann", 20.5).state == "offered"
    lobby.enters("uma", 20.8)
    assert lobby.polls("ann", 21).state == "offered"
    assert lobby.ticket("uma").offer == lobby.ticket("ann").offer
    assert (lobby.ticket("tom").state, lobby.ticket("tom").misses) == ("waiting", 1)
    assert lobby.line() == ["ann offered", "uma offered", "tom waiting"]
    for name in ("ann", "uma"):
        lobby.is_here(name, 22)
    lobby.enters("vic", 30)
    lobby.is_here("vic", 31)
    assert lobby.polls("vic", 50).state == "waiting"
    assert (lobby.ticket("tom").state, lobby.ticket("tom").reason) == ("removed", "missed")
    assert lobby.enters("tom", 60).misses == 0


def test_saying_it_too_late_is_a_miss(lobby):
    lobby.enters("ann")
    lobby.enters("tom")
    lobby.is_here("ann", 19)
    assert lobby.is_here("tom", 20).misses == 1
    assert not Assignment.objects.exists()


def test_who_has_not_polled_for_thirty_seconds_has_left_and_waited_until_last_seen(lobby):
    lobby.enters("ann")
    lobby.polls("ann", 12)
    assert lobby.enters("tom", 42).state == "waiting"
    gone = lobby.ticket("ann")
    assert (gone.state, gone.reason, gone.waited(at(99))) == ("left", "absent", timedelta(seconds=12))
    assert lobby.polls("ann", 43) == gone


def test_who_waits_three_minutes_without_input_and_does_not_say_that_they_are_here_leaves_after_another(lobby):
    lobby.enters("ann")
    for seconds in range(20, 239, 20):
        assert lobby.polls("ann", seconds).state == "waiting"
    gone = lobby.polls("ann", 240)
    assert (gone.state, gone.reason, gone.waited(at(999))) == ("left", "silent", timedelta(seconds=240))


def test_who_says_that_they_are_still_here_or_moves_stays_in_line(lobby):
    lobby.enters("ann")
    for seconds in range(20, 200, 20):
        lobby.polls("ann", seconds)
    assert lobby.is_here("ann", 200).state == "waiting"
    for seconds in range(220, 420, 20):
        assert lobby.polls("ann", seconds).state == "waiting"
    assert lobbies.idle(lobby.ticket("ann"), now=at(420)) == timedelta(seconds=220)
    lobbies.poll(lobby.ticket("ann"), now=at(421), idle=timedelta(seconds=4))
    lobbies.poll(lobby.ticket("ann"), now=at(430), idle=timedelta(seconds=99))
    assert lobbies.idle(lobby.ticket("ann"), now=at(430)) == timedelta(seconds=13)


def test_an_input_of_who_was_asked_counts_at_once_however_recent_the_poll_before(lobby):
    lobby.enters("ann")
    for seconds in range(20, 240, 20):
        lobby.polls("ann", seconds)
    lobbies.poll(lobby.ticket("ann"), now=at(238), idle=timedelta(seconds=238))
    lobbies.poll(lobby.ticket("ann"), now=at(239), idle=timedelta(seconds=1))
    lobby.enters("tom", 240)
    assert lobby.line() == ["ann offered", "tom offered"]


@pytest.mark.parametrize(("seconds", "idle", "last"), [(179, 0, 0), (180, 180, 0), (180, 179, 1), (180, 0, 180)])
def test_only_an_input_that_ends_three_minutes_without_one_is_written_between_polls(lobby, seconds, idle, last):
    lobby.enters("ann")
    for early in (*range(20, 177, 20), seconds - 1):
        lobby.polls("ann", early)
    lobbies.poll(lobby.ticket("ann"), now=at(seconds), idle=timedelta(seconds=idle))
    assert lobby.ticket("ann").active_at == at(last)


def test_who_is_in_a_ready_check_is_not_asked_besides(lobby):
    lobby.enters("ann")
    for seconds in range(20, 239, 20):
        lobby.polls("ann", seconds)
    assert lobby.enters("tom", 239).state == "offered"
    assert lobby.polls("ann", 245).state == "offered"
    assert lobby.is_here("ann", 246).state == "offered"


def test_who_polls_stays_and_a_poll_is_written_every_few_seconds_only(lobby, django_assert_num_queries):
    ticket = lobby.enters("ann")
    for seconds in range(3, 120, 3):
        ticket = lobbies.poll(ticket, now=at(seconds))
    assert (ticket.state, ticket.seen_at) == ("waiting", at(114))
    with django_assert_num_queries(1):
        lobbies.poll(ticket, now=at(118))


def test_who_leaves_a_ready_check_frees_the_other_at_once(lobby):
    lobby.enters("ann")
    lobby.enters("tom")
    lobby.is_here("ann", 1)
    assert (lobby.leaves("tom", 2).state, lobby.ticket("tom").reason) == ("left", "button")
    assert lobby.line() == ["ann waiting"]
    assert lobby.leaves("tom", 3).ended_at == at(2)
    assert lobby.enters("uma", 4).state == "offered"


def test_the_same_two_people_meet_at_most_twice_a_day(lobby):
    for seconds in (0, 60):
        lobby.meet("ann", "tom", seconds=seconds)
    lobby.enters("ann", 120)
    assert lobby.enters("tom", 121).state == "waiting"
    assert lobby.enters("uma", 122).state == "offered"
    assert lobby.line() == ["ann offered", "tom waiting", "uma offered"]
    for name in ("ann", "tom", "uma"):
        lobby.leaves(name, 123)
    tomorrow = 24 * 3600 + 30
    lobby.enters("ann", tomorrow)
    assert lobby.enters("tom", tomorrow).state == "offered"


def test_meetings_in_which_nothing_was_said_do_not_count(lobby):
    for seconds in (0, 60, 120):
        lobby.meet("ann", "tom", seconds=seconds, say=False)
    lobby.enters("ann", 180)
    assert lobby.enters("tom", 180).state == "offered"


def test_a_project_decides_how_often_two_people_meet(db):
    once = Lobby(toy_project("once", activities={"talk": {"same_partner_a_day": 1}}))
    once.meet("ann", "tom")
    once.enters("ann", 60)
    assert once.enters("tom", 60).state == "waiting"


def leave_one_topic(lobby):
    """A lead withdraws the others."""
    lead = join(lobby.project, "lena", Role.LEAD)
    for task in Task.objects.filter(queue__project=lobby.project, activity="talk").order_by("pk")[1:]:
        reports.cancel(task.item, by=lead, reason="It is told elsewhere.", now=NOON)


def test_who_could_be_given_nothing_does_not_wait_for_it(lobby):
    leave_one_topic(lobby)
    last = Pair.seated(lobby.project, "uma", "wim")
    last.say("asker", "ask-1")
    assert isinstance(lobby.enters("ann"), NoWork)


def test_nobody_is_promised_a_topic_that_is_promised_to_others(lobby):
    leave_one_topic(lobby)
    for name in ("ann", "tom", "xia", "yan"):
        lobby.enters(name)
    assert lobby.line() == ["ann offered", "tom offered", "xia waiting", "yan waiting"]
    for name in ("ann", "tom"):
        lobby.is_here(name, 1)
    ended = lobby.polls("xia", 8)
    assert (ended.state, ended.reason) == ("left", "nothing_left")


def test_who_may_not_claim_may_not_wait(lobby, mallory):
    with pytest.raises(NotEligible) as refused:
        lobbies.enter(lobby.project, "talk", by=mallory, now=NOON)
    assert refused.value.reason == "not_a_member"
    pair = Pair.seated(lobby.project)
    with pytest.raises(NotEligible) as refused:
        lobbies.enter(lobby.project, "talk", by=pair.asker, now=NOON)
    assert refused.value.reason == "at_work"
    with pytest.raises(NotFound):
        lobbies.enter(lobby.project, "review", by=pair.asker, now=NOON)


def test_who_is_no_longer_a_member_is_sent_away_instead_of_seated(lobby):
    for name in ("ann", "tom"):
        lobby.enters(name)
    lobby.is_here("tom", 1)
    Membership.objects.filter(user__username="tom").update(ended_at=NOON)
    assert lobby.is_here("ann", 2).state == "waiting"
    assert lobby.ticket("ann").misses == 0
    gone = Ticket.objects.get(annotator__username="tom")
    assert (gone.state, gone.reason) == ("left", "not_eligible")


def test_a_person_is_in_one_lobby_at_a_time(lobby):
    other = toy_project("others")
    lobby.enters("ann")
    lobbies.enter(other, "talk", by=join(other, "ann"), now=at(5))
    assert (lobby.ticket("ann").state, lobby.ticket("ann").reason) == ("left", "elsewhere")
    assert Ticket.objects.filter(state="waiting").get().project == other
    with pytest.raises(IntegrityError), transaction.atomic():
        TicketFactory(project=other, annotator=join(other, "ann"))


def test_the_typical_wait_is_the_median_of_those_who_were_seated(lobby):
    assert waiting.typical_wait(lobby.project, "talk", now=NOON) is None
    lobby.enters("ann")
    lobby.enters("tom", 20)
    for name in ("ann", "tom"):
        lobby.is_here(name, 24)
    lobby.enters("uma", 25)
    assert waiting.typical_wait(lobby.project, "talk", now=at(30)) == timedelta(seconds=14)
    assert waiting.people_here(lobby.project, "talk", now=at(30)) == 1
    assert waiting.people_here(lobby.project, "talk", now=at(90)) == 0


def test_after_a_minute_in_line_one_may_go_on_alone_with_training_topics_only(with_alone):
    ticket = with_alone.enters("ann")
    assert waiting.why_not_alone(ticket, now=at(59)) == "not_yet"
    ticket = with_alone.polls("ann", 60)
    held = waiting.go_alone(ticket, by=ticket.annotator, now=at(60))
    assert (held.seat, held.task.train_only, held.task.split) == ("one", True, "train")
    assert (with_alone.ticket("ann").state, with_alone.ticket("ann").reason) == ("left", "alone")
    with pytest.raises(IntegrityError), transaction.atomic():
        type(held.task).objects.filter(pk=held.task_id).update(split="dev")


def test_whose_partner_was_lost_may_go_on_alone_at_once(with_alone):
    for name in ("ann", "tom"):
        with_alone.enters(name)
    for name in ("ann", "tom"):
        with_alone.is_here(name)
    lost = with_alone.ticket("ann").assignment
    ticket = leaving.find_another(lost, by=lost.annotator, now=at(100))
    assert waiting.why_not_alone(ticket, now=at(100)) is None
    found = waiting.go_alone(ticket, by=lost.annotator, now=at(100))
    assert (found.task.activity, found.annotator) == ("talk_alone", lost.annotator)


def test_nobody_goes_on_alone_out_of_a_ready_check(with_alone):
    with_alone.enters("ann")
    for seconds in (29, 58):
        with_alone.polls("ann", seconds)
    ticket = with_alone.enters("tom", 70)
    with pytest.raises(NotEligible) as refused:
        waiting.go_alone(with_alone.ticket("ann"), by=with_alone.ticket("ann").annotator, now=at(71))
    assert (ticket.state, refused.value.reason) == ("offered", "not_in_line")


def test_where_the_activity_is_not_for_one_person_nobody_goes_on_alone(lobby):
    lobby.enters("ann")
    assert waiting.why_not_alone(lobby.ticket("ann"), now=at(99)) == "not_offered"
