"""Who gets which part: everybody each about as often, then what they would rather be."""

from __future__ import annotations

import pytest

from annotation.errors import NotFound
from tasks.pairs import lobby as lobbies
from tests.people import NOON
from tests.tasks.pairs.visiting import at


def seats_of(lobby, *names, prefers):
    """Who gets which seat if these people say beforehand what they would rather be."""
    for name in names:
        lobby.enters(name)
    for name, seat in prefers.items():
        ticket = lobby.ticket(name)
        lobbies.prefer(ticket, seat, by=ticket.annotator, now=NOON)
    return lobby.meet(*names)


@pytest.mark.parametrize("wanted", ["asker", "teller"])
def test_of_those_who_are_new_each_gets_the_part_that_they_would_rather_have(lobby, wanted):
    others = {"asker": "teller", "teller": "asker"}
    assert seats_of(lobby, "ann", "tom", prefers={"ann": wanted})["ann"] == wanted
    assert seats_of(lobby, "uma", "vic", prefers={"uma": wanted, "vic": others[wanted]})["vic"] == others[wanted]


def test_what_somebody_prefers_gives_nobody_a_part_more_often_and_stays_for_the_next_visit(lobby):
    first = seats_of(lobby, "ann", "tom", prefers={"ann": "asker"})
    second = lobby.meet("ann", "tom", seconds=100)
    assert (first["ann"], second["ann"]) == ("asker", "teller")
    assert lobby.ticket("ann").prefers == "asker"
    lobby.enters("uma", 200)
    lobby.enters("ann", 201)
    for name in ("uma", "ann"):
        lobby.is_here(name, 202)
    assert lobby.ticket("ann").assignment.seat == "asker"


def test_only_a_seat_of_the_activity_can_be_preferred_and_only_in_line(lobby):
    ticket = lobby.enters("ann")
    with pytest.raises(NotFound):
        lobbies.prefer(ticket, "judge", by=ticket.annotator, now=NOON)
    lobby.leaves("ann", 5)
    lobbies.prefer(ticket, "asker", by=ticket.annotator, now=at(6))
    assert lobby.ticket("ann").prefers == ""


def test_roles_take_turns(lobby):
    first = lobby.meet("ann", "tom")
    second = lobby.meet("ann", "tom", seconds=60)
    assert {name: seat for name, seat in first.items() if second[name] == seat} == {}
    third = lobby.meet("uma", "ann", seconds=120)
    fourth = lobby.meet("ann", "vic", seconds=180)
    assert third["ann"] != fourth["ann"]
