"""Many people claim at once: no slot is given twice, and nobody is sent away while one is free."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from tasks.engine import skip_and_return
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, reload
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import claims_until_none, faults, gate, one_claim, people, study, together

pytestmark = pytest.mark.django_db(transaction=True)


def test_claims_by_thirty_people_fill_items_with_25_slots(tmp_path):
    items = size(2, 8)
    lights = study(tmp_path, items=items, slots=25)
    entrance = gate()
    ledgers = together(partial(claims_until_none, lights, person, gate=entrance) for person in people(lights, 30))
    assert faults([claim for ledger in ledgers for claim in ledger]) == []
    assert Assignment.objects.filter(state=AssignmentState.SUBMITTED).count() == items * 25
    assert set(Task.objects.values_list("state", flat=True)) == {TaskState.DONE}


def test_fifty_people_at_once_fill_25_slots_one_each(tmp_path):
    lights = study(tmp_path, items=1, slots=25)
    ledger = together(partial(one_claim, lights, person) for person in people(lights, 50))
    assert faults(ledger) == []
    held = Assignment.objects.filter(state=AssignmentState.LEASED)
    assert sorted(held.values_list("slot", flat=True)) == list(range(25))
    assert held.values("annotator").distinct().count() == 25


def test_the_last_slot_goes_to_one_person_each_time(tmp_path):
    lights = study(tmp_path, items=1, slots=2)
    Worker(join(lights, "alice"), lights).claim()
    crowd = people(lights, 8)
    for _ in range(size(4, 1250)):
        ledger = together(partial(one_claim, lights, person) for person in crowd)
        (winner,) = [claim.assignment for claim in ledger if claim.assignment]
        assert reload(winner).task.state == TaskState.FULL
        skip_and_return.give_back(reload(winner), by=winner.annotator, now=NOON)


def test_a_slot_whose_lease_has_expired_goes_to_one_person_each_time(tmp_path):
    lights = study(tmp_path, items=1, slots=1)
    crowd = people(lights, 8)
    for turn in range(size(4, 1250)):
        now = NOON + timedelta(hours=turn)
        ledger = together(partial(one_claim, lights, person, now=now) for person in crowd)
        (winner,) = [claim.assignment for claim in ledger if claim.assignment]
        assert list(Assignment.objects.filter(state=AssignmentState.LEASED)) == [winner]
