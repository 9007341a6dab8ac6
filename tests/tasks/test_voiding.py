"""Finished work that a lead removes from its slot stays in the record, and somebody else does the item."""

from __future__ import annotations

import uuid

import pytest
from django.core.management import call_command

from annotation.engine import exclusion
from annotation.errors import NotFound, WrongMove
from annotation.models import Event
from tasks import corrections
from tasks.engine.no_work import NoWork
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, open_with, questions, reload
from tests.people import NOON


@pytest.fixture
def worker(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    return Worker(alice, nq)


@pytest.fixture
def done(worker):
    return worker.finish_without_answer()


def void(project, assignment, **options):
    return corrections.void(
        project, assignment.annotation.uuid, **({"by": None, "reason": "a slip", "now": NOON} | options)
    )


def test_the_lead_may_void_the_slot_and_the_annotator_is_not_reused_for_that_item(nq, worker, done, bob):
    void(nq, done)
    fresh = reload(done)
    assert (fresh.state, fresh.task.state) == (AssignmentState.REJECTED, TaskState.OPEN)
    assert fresh.annotation.exclusion_reason == "a slip"
    assert worker.claim() == NoWork("done_all_you_may")
    assert Worker(bob, nq).claim().task == done.task


def test_the_history_says_who_voided_it_and_why(nq, done, lena):
    call_command("void", nq.slug, str(done.annotation.uuid), reason="a slip", by="lena")
    event = Event.objects.get(kind="assignment.rejected")
    assert (event.by, event.data["reason"], event.project_id) == (lena.pk, "a slip", nq.pk)


def test_work_that_holds_no_slot_is_not_voided(nq, worker, done):
    corrections.reopen(nq, done.annotation.uuid, by=None, reason="look again", now=NOON)
    with pytest.raises(WrongMove):
        void(nq, done)
    assert reload(done).annotation.excluded_at is None
    with pytest.raises(NotFound):
        corrections.void(nq, uuid.uuid4(), by=None, reason="test", now=NOON)


def test_work_that_is_excluded_already_is_not_voided(nq, done):
    exclusion.exclude(nq, uuids=[done.annotation.uuid], by=None, reason="test", now=NOON)
    with pytest.raises(WrongMove):
        void(nq, done)
    assert reload(done).state == AssignmentState.SUBMITTED
