"""Controls: the same races against wrong claims, which the ledger must show."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.models import Annotation
from tasks.engine import claiming
from tests.races.rigs import wrong_claims
from tests.races.rigs.crowd import faults, one_claim, people, study, together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def without_unique_slots(transactional_db: None):
    with wrong_claims.without_unique_slots():
        yield


def test_the_control_a_claim_that_looks_and_then_inserts_gives_slots_twice(tmp_path, without_unique_slots):
    lights = study(tmp_path, items=1, slots=25)
    ledger = together(
        partial(one_claim, lights, person, claim=wrong_claims.look_and_then_insert) for person in people(lights, 50)
    )
    assert any("times" in fault for fault in faults(ledger))


@pytest.mark.postgresql_only  # SQLite has one writer at a time: there is no locked row to skip
def test_the_control_skipping_locked_tasks_without_a_second_pass_sends_people_away(tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "_look_waiting", lambda queues, **how: None)
    lights = study(tmp_path, items=1, slots=10)
    ledger = together(partial(one_claim, lights, person) for person in people(lights, 20))
    assert any("sent away" in fault for fault in faults(ledger))
    assert Annotation.objects.count() < 10
