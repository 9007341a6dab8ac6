"""One transaction commits between two statements of another; on SQLite there is one writer at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from annotation.models import Role
from tasks import corrections
from tasks.engine import leases, queues, transitions
from tasks.items import reports
from tasks.models import Assignment
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, open_papers, open_with, project, questions, reload
from tests.people import NOON, join

pytestmark = [pytest.mark.postgresql_only, pytest.mark.django_db(transaction=True)]
ASKED = {
    "nlp_background": "two",
    "topic_background": "familiar",
    "paper_read": "no",
    "search_query": "",
    "questions": [{"text": "Which corpus was it?", "answerable_from_abstract": False}],
}


def in_another_thread(work: Callable[[], Any]) -> Any:
    """What it returned, once its transaction is over; its error is raised here."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:
            found.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(20)
    assert found, "it waits for a lock"
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def test_a_lead_sends_work_back_while_its_authors_lease_expires(tmp_path, monkeypatch):
    made, late = project(), NOON + timedelta(hours=3)
    open_with(made, tmp_path, questions(3))
    alice = Worker(join(made, "alice"), made)
    done, held, lock = alice.finish_bad(), alice.claim(), transitions.lock

    def locked(ids: list[int]) -> dict[int, Any]:
        tasks = lock(ids)
        monkeypatch.setattr(transitions, "lock", lock)
        in_another_thread(lambda: corrections.reopen(made, done.annotation.uuid, by=None, reason="again", now=late))
        return tasks

    monkeypatch.setattr(transitions, "lock", locked)
    assert leases.expire(reload(held).lease, now=late)
    assert reload(held).state == AssignmentState.EXPIRED
    assert reload(done).state == AssignmentState.SUBMITTED, "its lease ended, so it is as it was handed in"


def test_somebody_claims_the_questions_of_a_paper_while_a_lead_withdraws_it(transactional_db, monkeypatch):
    papers, soon = open_papers(), NOON + timedelta(minutes=1)
    lena = join(papers, "lena", Role.LEAD)
    wendy = Worker(join(papers, "wendy"), papers, "ask")
    adam = Worker(join(papers, "adam"), papers, "answer")
    card, fill_under = wendy.claim(), queues.fill_under
    wendy.commit(card, "questions", ASKED)

    def claimed_first(item: Any) -> None:
        monkeypatch.setattr(queues, "fill_under", fill_under)
        in_another_thread(lambda: adam.claim(now=soon))
        fill_under(item)

    monkeypatch.setattr(queues, "fill_under", claimed_first)
    reports.cancel(card.task.item, by=lena, reason="It is another paper.", now=soon)
    row = Assignment.objects.select_related("task").get(annotator=adam.user)
    assert (row.state, row.task.state) == (AssignmentState.REVOKED, TaskState.CANCELLED)
