"""A lead asks for more annotations while the last one is sent, and takes that back while somebody claims."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.errors import WrongMove
from tasks.corrections import more_annotations
from tasks.models import Task
from tasks.models.states import HOLDS_SLOT, TaskState
from tests.builders import BAD, Worker, open_with, project, questions
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import faults, one_claim, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
ROUNDS = size(5, 200)


def fresh(nq) -> Task:
    return Task.objects.select_related("queue__project", "item__project").get(queue__project=nq)


def asks(nq, count=1) -> str:
    more_annotations.ask_for_more(fresh(nq), count=count, by=None, now=NOON)
    return "asked"


def takes_back(nq) -> str:
    try:
        more_annotations.take_back(fresh(nq), by=None, now=NOON)
    except WrongMove:
        return "refused"
    return "taken back"


def sends(worker, held) -> str:
    worker.commit(held, "question", BAD)
    return "sent"


def test_whichever_comes_first_the_last_answer_and_the_request_both_count(tmp_path, crossings):
    for turn in range(ROUNDS):
        nq = project(f"lights-{turn}")
        worker = Worker(join(nq, f"alice-{turn}"), nq)
        open_with(nq, tmp_path, questions(1))
        held = worker.claim()
        assert together([partial(sends, worker, held), partial(asks, nq)]) == ["sent", "asked"]
        assert (fresh(nq).state, fresh(nq).slots) == (TaskState.OPEN, 2)
        assert Worker(join(nq, f"bob-{turn}"), nq).claim().task == held.task
    assert crossings == []


def test_either_somebody_gets_the_new_slot_or_it_is_taken_back(tmp_path, crossings):
    found = set()
    for turn in range(ROUNDS):
        nq = project(f"lights-{turn}")
        open_with(nq, tmp_path, questions(1))
        Worker(join(nq, f"alice-{turn}"), nq).finish_bad()
        asks(nq)
        came, claim = together([partial(takes_back, nq), partial(one_claim, nq, join(nq, f"bob-{turn}"))])
        found.add((came, claim.assignment is not None))
        held = fresh(nq).assignments.filter(state__in=HOLDS_SLOT)
        assert held.count() <= fresh(nq).slots
        assert fresh(nq).state == (TaskState.DONE if came == "taken back" else TaskState.FULL)
    assert found <= {("taken back", False), ("refused", True)}
    assert crossings == []


def test_of_many_who_claim_what_two_leads_ask_for_exactly_as_many_get_it(tmp_path, crossings):
    nq = project()
    open_with(nq, tmp_path, questions(1))
    Worker(join(nq, "alice"), nq).finish_bad()
    people = [join(nq, f"person-{number}") for number in range(6)]
    asked = [partial(asks, nq, count) for count in (2, 1)]
    _asked, _again, *ledger = together([*asked, *(partial(one_claim, nq, each) for each in people)])
    ledger += [
        one_claim(nq, each) for each in people if each.pk not in {claim.person for claim in ledger if claim.task}
    ]
    given = [claim for claim in ledger if claim.task is not None]
    assert len(given) == 3
    assert faults(given) == []
    assert crossings == []
