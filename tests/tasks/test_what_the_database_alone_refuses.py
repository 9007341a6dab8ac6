"""Slots and leases that no service would write: constraints refuse them, whoever writes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tests.builders import Worker, open_with, questions, reload
from tests.factories.work import AssignmentFactory, LeaseFactory
from tests.people import NOON

pytestmark = pytest.mark.on_both_databases

ONE_HOLDER = r"one_holder_per_slot|task_id, tasks_assignment\.slot"
ONE_SLOT = r"one_slot_per_annotator|task_id, tasks_assignment\.annotator_id"
ONE_LEASE = r"one_open_lease_per_activity|annotator_id, tasks_lease\.project_id, tasks_lease\.activity"


@pytest.fixture
def held(nq, alice, bob, tmp_path):
    """Alice and bob at work on questions that five people answer, in two slots of one or of two tasks."""
    open_with(nq, tmp_path, questions(2, split="dev"))
    hers, his = (reload(Worker(person, nq).claim()) for person in (alice, bob))
    return hers, his


def hold(task, *, slot, of, state=AssignmentState.LEASED):
    """Insert a row as a service would, without the services."""
    return AssignmentFactory(task=task, slot=slot, lease=of.lease, annotation=of.annotation, state=state)


def sql(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def refused(constraint):
    """Assert that this constraint refuses the block, and that the transaction can continue."""
    return pytest.raises(IntegrityError, match=constraint)


@pytest.mark.parametrize("state", ["leased", "submitted"])
def test_two_people_never_hold_one_slot(held, state):
    hers, his = held
    Assignment.objects.filter(pk=his.pk).update(state=AssignmentState.RETURNED)
    Assignment.objects.filter(pk=hers.pk).update(state=state)
    with refused(ONE_HOLDER), transaction.atomic():
        hold(hers.task, slot=hers.slot, of=his)
    assert Assignment.objects.count() == 2


def test_a_row_cannot_be_moved_to_a_slot_that_another_person_holds(held):
    hers, his = held
    move = "UPDATE tasks_assignment SET task_id = %s, slot = %s WHERE id = %s"
    with refused(ONE_HOLDER), transaction.atomic():
        sql(move, hers.task_id, hers.slot, his.pk)
    sql(move, hers.task_id, hers.slot + 1, his.pk)


def test_a_row_that_left_its_slot_cannot_take_it_back_from_its_new_holder(held):
    hers, his = held
    Assignment.objects.filter(pk=hers.pk).update(state=AssignmentState.EXPIRED)
    Assignment.objects.filter(pk=his.pk).update(state=AssignmentState.RETURNED)
    hold(hers.task, slot=hers.slot, of=his)
    with refused(ONE_HOLDER), transaction.atomic():
        sql("UPDATE tasks_assignment SET state = 'leased' WHERE id = %s", hers.pk)


def test_one_person_never_holds_two_slots_of_a_task(held):
    hers, _ = held
    with refused(ONE_SLOT), transaction.atomic():
        hold(hers.task, slot=hers.slot + 2, of=hers)
    hold(hers.task, slot=hers.slot + 2, of=hers, state=AssignmentState.EXPIRED)


def test_one_person_never_has_two_open_leases_in_an_activity(held):
    hers, _ = held
    known = {"annotator": hers.annotator, "queue": hers.lease.queue}
    with refused(ONE_LEASE), transaction.atomic():
        LeaseFactory.insert(**known)
    with refused(ONE_LEASE), transaction.atomic():
        closed = LeaseFactory.insert(closed_at=NOON, **known)
        sql("UPDATE tasks_lease SET closed_at = NULL WHERE id = %s", closed.pk)
    LeaseFactory.insert(closed_at=NOON, **known)
    LeaseFactory.insert(activity="another", **known)


def test_a_lease_never_ends_before_it_opens(held):
    hers, _ = held
    with refused("lease_ends_after_it_opens"), transaction.atomic():
        sql("UPDATE tasks_lease SET expires_at = %s WHERE id = %s", NOON - timedelta(seconds=1), hers.lease_id)


def test_what_one_person_does_alone_is_never_a_task_outside_the_training_set(held):
    task = held[0].task
    assert task.split == "dev"
    with refused("train_only_is_train"), transaction.atomic():
        sql("UPDATE tasks_task SET train_only = %s WHERE id = %s", True, task.pk)
    sql("UPDATE tasks_task SET train_only = %s, split = 'train' WHERE id = %s", True, task.pk)
