"""A wrong claim, and a table that allows it: for the controls of races."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection

from annotation.engine import recording
from annotation.models import Project, User
from tasks.engine import leases, transitions
from tasks.engine.no_work import NoWork
from tasks.models import Assignment, Task
from tests.factories.work import AssignmentFactory


@contextmanager
def without_unique_slots() -> Iterator[None]:
    """Drop the indexes that make double work impossible from the table of assignments; for transactional tests."""
    indexes = [index for index in Assignment._meta.constraints if index.name.startswith("one_")]
    with connection.schema_editor() as editor:
        for index in indexes:
            editor.remove_constraint(Assignment, index)
    try:
        yield
    finally:
        Assignment.objects.all().delete()
        with connection.schema_editor() as editor:
            for index in indexes:
                editor.add_constraint(Assignment, index)


def look_and_then_insert(project: Project, activity: str, *, by: User, now: datetime) -> Assignment | NoWork:
    """Check-then-act without a lock, as claims are often written: see that a slot is free, then take it."""
    task = Task.objects.select_related("queue").get()
    taken = transitions.held_slots(task)
    if len(taken) >= task.slots:
        return NoWork("all_done")
    lease = leases.open_lease(annotator=by, queue=task.queue, now=now)
    annotation = recording.open_annotation(
        item_id=task.item_id, author=by, activity=activity, round=1, guidelines_id=None, now=now
    )
    return AssignmentFactory(task=task, lease=lease, slot=min(set(range(task.slots)) - taken), annotation=annotation)
