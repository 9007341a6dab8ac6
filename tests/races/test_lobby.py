"""Many people enter a lobby at once: nobody is seated twice, and no two people wait for each other."""

from __future__ import annotations

import threading
from datetime import timedelta
from functools import partial

import pytest

from tasks.engine import skip_and_return
from tasks.models import Assignment, Ticket
from tasks.models.states import TicketState
from tasks.pairs import lobby
from tests.people import NOON
from tests.proving import size
from tests.races.rigs import visitors
from tests.races.rigs.crowd import gate, together
from tests.races.rigs.visitors import faults, full_house, shares, visit

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 40


def states():
    return [*Ticket.objects.values_list("state", flat=True)]


def test_everybody_who_enters_at_once_is_seated_once(tmp_path, crossings):
    toys, crowd = full_house(tmp_path, visitors=size(12, 500))
    entrance = gate()
    together(partial(visit, toys, mine, now=NOON, gate=entrance) for mine in shares(crowd, THREADS))
    assert faults() == []
    assert set(states()) == {TicketState.SEATED}
    assert Assignment.objects.count() == len(crowd)
    assert crossings == []


def test_when_many_miss_their_offer_at_once_the_others_are_found_for_each_other(tmp_path, crossings):
    toys, crowd = full_house(tmp_path, visitors=size(9, 501))
    entrance = gate()
    together(partial(visit, toys, mine, now=NOON, gate=entrance, answers=False) for mine in shares(crowd, THREADS))
    assert faults() == []
    assert states().count(TicketState.WAITING) == 1
    here = [person for place, person in enumerate(crowd) if place % 3]

    def says_so(mine, now):
        for person in mine:
            with entrance:
                lobby.confirm(lobby.last_ticket(toys, "talk", by=person), by=person, now=now)

    def polls(mine, now):
        for person in mine:
            with entrance:
                lobby.poll(lobby.last_ticket(toys, "talk", by=person), now=now)

    together(partial(says_so, mine, NOON + timedelta(seconds=5)) for mine in shares(here, THREADS))
    assert faults() == []
    together(partial(polls, mine, NOON + timedelta(seconds=21)) for mine in shares(crowd, THREADS))
    assert faults() == []
    assert crossings == []


def test_both_say_that_they_are_here_while_one_of_them_leaves(tmp_path, crossings):
    toys, crowd = full_house(tmp_path, visitors=2)
    for turn in range(size(4, 300)):
        now = NOON + timedelta(hours=25 * turn)
        tickets = [lobby.enter(toys, "talk", by=person, now=now) for person in crowd]
        first, second = (lobby.last_ticket(toys, "talk", by=person) for person in crowd)
        assert tickets[1].state == TicketState.OFFERED
        together(
            [
                partial(lobby.confirm, first, by=first.annotator, now=now),
                partial(lobby.confirm, second, by=second.annotator, now=now),
                partial(lobby.leave, second, by=second.annotator, now=now),
            ]
        )
        assert faults() == []
        ended = {lobby.last_ticket(toys, "talk", by=person).state for person in crowd}
        assert ended in ({"seated"}, {"waiting", "left"})
        leave_everything(toys, now=now)
    assert crossings == []


def test_one_person_who_enters_in_many_windows_has_one_ticket(tmp_path, crossings):
    toys, (person, *_others) = full_house(tmp_path, visitors=2)
    together([partial(lobby.enter, toys, "talk", by=person, now=NOON)] * 8)
    assert states() == [TicketState.WAITING]
    assert crossings == []


def test_the_control_a_lobby_that_looks_and_then_acts_lets_two_people_wait_for_each_other(tmp_path):
    toys, crowd = full_house(tmp_path, visitors=2)
    enter = visitors.looks_and_then_acts(toys, threading.Barrier(2))
    together(partial(enter, person) for person in crowd)
    assert faults() == ["2 people wait for each other"]


def test_the_control_a_lobby_that_looks_and_then_acts_promises_one_person_to_two(tmp_path):
    toys, crowd = full_house(tmp_path, visitors=3)
    enter = visitors.looks_and_then_acts(toys, threading.Barrier(2))
    lobby.enter(toys, "talk", by=crowd[0], now=NOON)
    together(partial(enter, person) for person in crowd[1:])
    assert faults() == ["an offer to 1"]


def leave_everything(project, *, now):
    """Everybody gives back what they hold and leaves the lobby."""
    for row in Assignment.objects.filter(state="leased"):
        row.refresh_from_db()
        if row.state == "leased":
            skip_and_return.give_back(row, by=row.annotator, now=now)
    for ticket in Ticket.objects.filter(state__in=("waiting", "offered")).select_related("project", "annotator"):
        lobby.leave(ticket, by=None, now=now)
