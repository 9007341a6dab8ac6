"""Thousands of claims by many people: no slot is given twice, nobody is wrongly sent away, and no slot gets stuck."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from annotation.models import Annotation, Project, User
from tasks.models import Assignment, Lease, Task
from tasks.models.states import AssignmentState, TaskState
from tests.people import NOON
from tests.proofs.rigs import conservation
from tests.proving import size
from tests.races.rigs.crowd import faults, gate, one_claim, people, study, together
from tests.races.rigs.wrong_claims import look_and_then_insert, without_unique_slots

pytestmark = pytest.mark.django_db(transaction=True)

CLAIMS = 150
PEOPLE = 25


def hand_in() -> None:
    """Finish everybody's work with a few statements instead of thousands of commits: only claims race here."""
    Assignment.objects.filter(state=AssignmentState.LEASED).update(state=AssignmentState.SUBMITTED, closed_at=NOON)
    Lease.objects.filter(closed_at__isnull=True).update(closed_at=NOON)
    Annotation.objects.filter(completed_at__isnull=True).update(completed_at=NOON)
    Task.objects.filter(state=TaskState.FULL).update(state=TaskState.DONE)


def claim_each_time(person: User, project: Project, *, rounds: int, entrance: Any, done: threading.Barrier):
    """One person's claims, one per round; everybody has claimed before the work of the round is finished."""
    ledger = []
    for _ in range(rounds):
        with entrance:
            ledger.append(replace(one_claim(project, person), assignment=None))  # a million would fill the memory
        done.wait(300)
    return ledger


SLOTS = [
    pytest.param(1, id="one-each", marks=pytest.mark.one_database_for_a_merge),
    pytest.param(PEOPLE, id="all-of-everything", marks=pytest.mark.one_database_for_a_merge("postgresql")),
]
"""For each merge several slots of a task on PostgreSQL, where more than one transaction writes at a time."""


@pytest.mark.parametrize("slots", SLOTS)
def test_claims_are_never_given_twice_and_nobody_is_wrongly_sent_away(tmp_path, record_property, slots):
    claims = size(CLAIMS, 1_000_000) // 2
    record_property("size", claims)
    lights = study(tmp_path, items=claims // slots, slots=slots)
    record_property("seed", lights.config["seed"])
    how = {"rounds": claims // PEOPLE + 1, "entrance": gate(), "done": threading.Barrier(PEOPLE, action=hand_in)}
    ledgers = together(partial(claim_each_time, person, lights, **how) for person in people(lights, PEOPLE))
    assert faults([claim for ledger in ledgers for claim in ledger]) == []
    assert Assignment.objects.filter(state=AssignmentState.SUBMITTED).count() == claims
    assert set(Task.objects.values_list("state", flat=True)) == {TaskState.DONE}
    assert conservation.faults(lights) == []


def test_control_a_claim_that_looks_and_then_inserts_is_noticed(tmp_path):
    lights = study(tmp_path, items=1, slots=PEOPLE)
    crowd = people(lights, 2 * PEOPLE)
    with without_unique_slots():
        assert faults(together(partial(one_claim, lights, person, claim=look_and_then_insert) for person in crowd))
