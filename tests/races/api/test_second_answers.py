"""A script corrects one answer from several machines at once: one second answer counts, and the others say so."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from annotation import randomness
from annotation.models import Response
from tasks.models import Assignment
from tests.builders import GOOD, NO_ANSWER
from tests.frontend.api.scripts import Script, by_script
from tests.people import join
from tests.proving import size
from tests.races.rigs.crowd import study, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
REASONS = ("spread", "page")


def test_of_second_answers_that_meet_one_replaces_the_first_and_the_others_are_refused(tmp_path: Path):
    lights = by_script(study(tmp_path, items=1, slots=1, slug="lights"))
    script = Script(join(lights, "alice"), lights)
    work = script.send(script.claim("annotate"), GOOD).json()["work"]
    script.send(work, NO_ANSWER)
    address = f"work/{work['uuid']}/steps/long_answer/replace/"
    for turn in range(size(2, 60)):
        other = {"kind": "none", "reason": REASONS[turn % 2]}
        version = script.send(work, other).json()["now"]["replace"]
        calls = [{"payload": other, "version": version, "key": str(randomness.handle())} for _ in range(4)]
        found = together([partial(script.post, address, call) for call in calls])
        assert sorted(one.status_code for one in found) == [200, 409, 409, 409]
        assert {one.json()["type"] for one in found if one.status_code == 409} == {"stale_page"}
        assert Response.objects.filter(stage="long_answer").count() == turn + 2
        assert Assignment.objects.get().state == "submitted"
