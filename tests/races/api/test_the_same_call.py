"""A call that a script sends again and again under one key takes effect once, and every time gets the same answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse

from annotation import randomness
from annotation.models import Role
from qualification.models import ApiCall
from tasks.models import Task
from tests.builders import Worker
from tests.frontend.api.callers import Caller, leading
from tests.people import join
from tests.proving import size
from tests.races.rigs.crowd import study, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
TIMES = 8


@pytest.fixture
def lead(tmp_path: Path) -> Caller:
    """The script of a lead, over an item that somebody has finished."""
    lights = study(tmp_path, items=1, slots=1, slug="lights")
    Worker(join(lights, "alice"), lights).finish_bad()
    return leading(join(lights, "lena", Role.LEAD), lights)


def ask_for_more(lead: Caller, key: str, count: int = 1) -> HttpResponse:
    said = {"action": "more", "count": count, "reason": "to compare"}
    return lead.post(f"projects/lights/items/{Task.objects.get().item_id}/decide/", said, Idempotency_Key=key)


def answers(found: list[HttpResponse]) -> set[tuple[int, Any]]:
    return {(one.status_code, one.content) for one in found}


def test_a_call_sent_several_times_at_once_takes_effect_once_and_is_answered_alike(lead: Caller):
    for turn in range(1, size(3, 100) + 1):
        found = together([partial(ask_for_more, lead, str(randomness.handle()))] * TIMES)
        assert len(answers(found)) == 1
        assert found[0].status_code == 200
        assert Task.objects.get().slots == 1 + turn
        assert sum("Idempotency-Replayed" in one for one in found) == TIMES - 1


def test_the_control_under_keys_of_their_own_each_takes_effect(lead: Caller):
    together([partial(ask_for_more, lead, str(randomness.handle())) for _ in range(3)])
    assert Task.objects.get().slots == 4


def test_another_call_under_the_same_key_is_refused_and_changes_nothing(lead: Caller):
    ask_for_more(lead, "once")
    refused = ask_for_more(lead, "once", count=2)
    assert (refused.status_code, refused.json()["type"]) == (422, "key_reused")
    assert Task.objects.get().slots == 2


def test_a_refused_call_keeps_nothing_and_can_be_sent_again(lead: Caller):
    path = f"projects/lights/items/{Task.objects.get().item_id}/decide/"
    assert lead.post(path, {"action": "more"}, Idempotency_Key="once").status_code == 400
    assert not ApiCall.objects.exists()
    assert ask_for_more(lead, "once").status_code == 200


def change_queue(lead: Caller, etag: str, minutes: int) -> HttpResponse:
    return lead.call("PATCH", "projects/lights/queues/annotate/", {"lease_minutes": minutes}, If_Match=etag)


def test_of_two_changes_to_the_version_that_both_have_read_the_second_is_refused(lead: Caller):
    for turn in range(size(3, 100)):
        etag = lead.get("projects/lights/queues/annotate/")["ETag"]
        minutes = (21 + 2 * turn, 22 + 2 * turn)
        found = together([partial(change_queue, lead, etag, each) for each in minutes])
        assert sorted(one.status_code for one in found) == [200, 412]
        kept = lead.get("projects/lights/queues/annotate/").json()["lease_minutes"]
        assert [each for each, one in zip(minutes, found, strict=True) if one.status_code == 200] == [kept]
