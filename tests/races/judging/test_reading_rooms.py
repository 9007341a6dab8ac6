"""People's pages are fetched at once after each change, and share what is read: nobody is shown what is over."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.models import JudgingRound, Role
from frontend.work.meetings.alike import MeetingReader
from tasks.judging.meeting import agenda, agreeing, room
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together
from tests.tasks.judging.judged_rounds import lead, lights
from tests.tasks.judging.meetings import begun, exhibit_at

__all__ = ["lead", "lights"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
RACES, PLACE = size(12, 200), 1


@pytest.fixture
def people(lights):
    return [join(lights, name, Role.EXPERT) for name in ("erin", "egon", "emma")]


def read(uuid):
    row = JudgingRound.objects.get(uuid=uuid)
    return MeetingReader(row).exhibit(PLACE)


def test_whoever_asks_after_a_change_is_shown_it_whatever_others_do_and_read_meanwhile(lights, lead, people):
    row, erin = begun(lights, lead, people), people[0]
    for number in range(1, RACES + 1):
        change = partial(agreeing.propose, exhibit_at(row, PLACE), mark="W", reason=str(number), by=erin, now=NOON)
        come_or_go = partial(room.enter if number % 2 else room.leave, row, by=lead, now=NOON)  # without a vote
        together([change, come_or_go, partial(read, row.uuid), partial(read, row.uuid)])
        found = read(row.uuid)
        assert (found.proposal.number, found.proposal.reason) == (number, str(number))
    assert not read(row.uuid).revealed
    agenda.reveal(exhibit_at(row, PLACE), by=erin, now=NOON)
    assert read(row.uuid).revealed
