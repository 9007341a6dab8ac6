"""The socket of a meeting: its people are told that something has changed, others are refused, and nothing is said."""

from __future__ import annotations

import uuid

import pytest

from annotation import clock
from annotation.models import Membership, Role
from frontend.sockets.open_sockets import ENDED
from tasks.judging import ending
from tasks.judging.meeting import agreeing, room
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import draft, lead, lights
from tests.tasks.judging.meetings import begun, exhibit_at

__all__ = ["lead", "lights"]
ROOM = {"poke": "room"}
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(lights):
    return [join(lights, name, Role.EXPERT) for name in ("erin", "egon", "emma")]


@pytest.fixture
def meeting(lights, lead, people):
    return begun(lights, lead, people)


def address(row):
    return f"/ws/judging/{row.uuid}/"


def test_all_others_are_poked_by_what_somebody_does_and_hear_nothing_of_it(server, meeting, people, lead):
    erin, egon, emma = people
    sockets = {person: server.open(address(meeting), person) for person in (*people, lead)}
    agreeing.argue(exhibit_at(meeting, 1), text="SENTINEL", key=uuid.uuid4(), by=egon, now=NOON)
    for person in (erin, emma, lead):
        assert sockets[person].next() == ROOM
    agreeing.propose(exhibit_at(meeting, 1), mark="W", reason="SENTINEL", by=erin, now=NOON)
    assert sockets[egon].next() == ROOM
    room.leave(meeting, by=emma, now=NOON)
    for person in (erin, egon, lead):
        assert sockets[person].next() == ROOM


def test_who_takes_no_part_is_refused_like_an_address_that_leads_nowhere(server, meeting, lights):
    nowhere = server.refusal("/ws/nowhere/")
    for name in ("oskar", "ada"):
        assert server.refusal(address(meeting), join(lights, name, Role.EXPERT)) == nowhere
    assert server.refusal(address(meeting)) == nowhere


def test_before_the_meeting_and_after_it_nobody_is_let_in(server, meeting, lights, lead, people):
    nowhere = server.refusal("/ws/nowhere/")
    assert server.refusal(address(draft(lights, lead, meeting=True)), lead) == nowhere
    ending.end_meeting(meeting, by=people[0], now=NOON)
    assert server.refusal(address(meeting), people[1]) == nowhere


def test_the_socket_closes_with_the_meeting_and_with_the_membership(server, meeting, people):
    erin, egon, _emma = people
    hers, his = server.open(address(meeting), erin), server.open(address(meeting), egon)
    Membership.objects.filter(user=egon).update(ended_at=clock.now())
    assert his.closed_with() == ENDED
    ending.end_meeting(meeting, by=erin, now=NOON)
    assert hers.closed_with() == ENDED
