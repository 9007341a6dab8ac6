"""The controls: the same races against claims that are wrong on purpose, which the ledger must show."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import pytest
from django.db import connection

from annotation import recording
from annotation.models import Annotation, Project, User
from tasks import claiming, leases, moving
from tasks.claiming import Nothing
from tasks.models import Assignment, Task
from tests.races.crowd import faults, one_claim, people, study, together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def without_unique_slots(transactional_db: None):
    """The table of assignments without the indexes that make double work impossible."""
    indexes = [index for index in Assignment._meta.constraints if index.name.startswith("one_")]
    with connection.schema_editor() as editor:
        for index in indexes:
            editor.remove_constraint(Assignment, index)
    yield
    Assignment.objects.all().delete()
    with connection.schema_editor() as editor:
        for index in indexes:
            editor.add_constraint(Assignment, index)


def look_and_then_insert(project: Project, activity: str, *, by: User, now: datetime) -> Assignment | Nothing:
    """A claim as it is often written: see that a slot is free, then take it, without a lock."""
    task = Task.objects.select_related("queue").get()
    taken = moving.taken(task)
    if len(taken) >= task.slots:
        return Nothing("all_done")
    lease = leases.open_lease(annotator=by, queue=task.queue, now=now)
    annotation = recording.open_annotation(
        item_id=task.item_id, author=by, activity=activity, round=1, guidelines_id=None, now=now
    )
    return Assignment.objects.create(
        task=task,
        lease=lease,
        annotator=by,
        slot=min(set(range(task.slots)) - taken),
        annotation=annotation,
        claimed_at=now,
    )


def test_a_claim_that_looks_and_then_inserts_gives_slots_twice(tmp_path, without_unique_slots):
    lights = study(tmp_path, items=1, slots=25)
    ledger = together(partial(one_claim, lights, person, claim=look_and_then_insert) for person in people(lights, 50))
    assert any("times" in fault for fault in faults(ledger))


@pytest.mark.postgresql_only  # SQLite has one writer at a time: there is no locked row to pass over
def test_passing_over_locked_tasks_without_a_last_look_sends_people_away(tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "_look_waiting", lambda queues, **how: None)
    lights = study(tmp_path, items=1, slots=25)
    ledger = together(partial(one_claim, lights, person) for person in people(lights, 50))
    assert any("sent away" in fault for fault in faults(ledger))
    assert Annotation.objects.count() < 25
