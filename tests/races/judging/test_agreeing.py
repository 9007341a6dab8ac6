"""The chair changes a proposal while the last voter confirms it: nobody is ever bound to what they did not confirm."""

from __future__ import annotations

from contextlib import suppress
from threading import Event

import pytest
from django.db import DatabaseError, connection, transaction

from annotation.errors import WrongMove
from annotation.models import Confirmation, Consensus, Role
from annotation.triggers.append_only import drop_triggers, install_triggers
from tasks.judging.meeting import agreeing
from tasks.judging.meeting.voters import at_meeting, voters_on
from tests.factories.judging import ConfirmationFactory, ConsensusFactory
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together
from tests.tasks.judging.judged_rounds import lead, lights
from tests.tasks.judging.meetings import begun, exhibit_at, rater_of

__all__ = ["lead", "lights"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
MARKS = ("C", "Cd", "W")
RACES = size(16, 1000)
CONTROLS = 24
EACH = 8


@pytest.fixture
def three(lights):
    return [join(lights, name, Role.EXPERT) for name in ("erin", "egon", "emma")]


@pytest.fixture
def races(lights, lead, three):
    """A function: for each of so many races about an exhibit, whether nobody is bound to what they did not click at,
    and whether there is a consensus."""

    def races(count, confirm):
        row = begun(lights, lead, three, more=count)
        return (_race(row, place, three, confirm) for place in range(3, 3 + count))

    return races


def _race(row, place, people, confirm):
    erin, egon, emma = people
    old, new = MARKS[place % 3], MARKS[(place + 1) % 3]
    first = agreeing.propose(exhibit_at(row, place), mark=old, reason="", by=erin, now=NOON)
    agreeing.confirm(exhibit_at(row, place), number=first.number, by=egon, now=NOON)
    changed, confirmed = Event(), Event()

    def change():
        exhibit = exhibit_at(row, place)
        if place % EACH == 0:  # one of so many is lost for certain, and one won; the others are races
            confirmed.wait(60)
        _changed(exhibit, erin, new)
        changed.set()

    def confirm_it():
        exhibit = exhibit_at(row, place)
        if place % EACH == 1:
            changed.wait(60)
        confirm(exhibit, emma, first.number)
        confirmed.set()

    together([change, confirm_it] if place % 2 else [confirm_it, change])
    found = Consensus.objects.filter(exhibit__round=row, exhibit__place=place).first()
    # Egon and Emma clicked at the first proposal; only Erin ever saw the second one.
    return found is None or found.proposal_id == first.pk, found is not None


def _changed(exhibit, chair, mark):
    for _ in range(exhibit.place % 4):  # the later, the likelier the other is faster
        voters_on(exhibit)
    with suppress(WrongMove):  # the last confirmation was faster
        agreeing.propose(exhibit, mark=mark, reason="", by=chair, now=NOON)


def _confirmed(exhibit, person, number):
    with suppress(WrongMove):  # the change was faster
        agreeing.confirm(exhibit, number=number, by=person, now=NOON)


def _confirmed_carelessly(exhibit, person, _number):
    """As a screen would do it that says "I confirm" without saying what: whatever stands once it is looked up."""
    with transaction.atomic():
        at_meeting(exhibit.round)
        if Consensus.objects.filter(exhibit=exhibit).exists():
            return
        stands = agreeing.standing(exhibit)
        ConfirmationFactory.insert(proposal=stands, rater=rater_of(exhibit.round, person), holds=True)
        given = Confirmation.objects.filter(proposal__exhibit=exhibit, holds=True).values_list("rater", flat=True)
        if len(set(given)) == 3:
            ConsensusFactory.insert(exhibit=exhibit, proposal=stands)


def test_a_changed_proposal_binds_nobody_who_confirmed_the_one_before(races):
    outcomes = list(races(RACES, _confirmed))
    assert all(good for good, _ in outcomes)
    assert {settled for _, settled in outcomes} == {True, False}  # either was the faster one at times


def test_control_a_confirmation_that_does_not_say_of_what_binds_people_to_what_they_never_saw(races):
    drop_triggers(connection)
    try:
        assert not all(good for good, _ in races(CONTROLS, _confirmed_carelessly))
    finally:
        install_triggers(connection)


def test_the_database_refuses_even_the_careless_one(lights, lead, three):
    exhibit = exhibit_at(begun(lights, lead, three), 1)
    agreeing.propose(exhibit, mark="C", reason="", by=three[0], now=NOON)
    agreeing.confirm(exhibit, number=1, by=three[1], now=NOON)
    agreeing.propose(exhibit, mark="W", reason="", by=three[0], now=NOON)
    with pytest.raises(DatabaseError):
        _confirmed_carelessly(exhibit, three[2], 1)
    assert not Consensus.objects.exists()
