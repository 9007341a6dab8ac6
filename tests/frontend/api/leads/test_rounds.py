"""A lead's script reads judging rounds and their results, but not those of a round in which they still judge."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.judging import rounds
from annotation.models import Project, Role, User
from tasks import jobs
from tasks.judging import raters, working
from tests.frontend.api.callers import Caller, reader
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, sealed
from tests.tasks.judging.sealed_once import answered_once, experts, lead, lights, staffed_once

__all__ = ["answered_once", "experts", "lead", "lights", "sealed", "staffed_once"]


def results_of(script: Caller, row: Any) -> Any:
    return script.get(f"projects/lights/rounds/{row.uuid}/results/")


def test_a_round_is_listed_and_its_results_are_those_of_the_file(
    lights: Project, lead: User, experts: list[User], sealed: Any
):
    script = reader(lead)
    [row] = script.get("projects/lights/rounds/").json()["results"]
    assert (row["title"], row["state"], row["exhibits"], row["raters"], row["locked"]) == (
        *("Long answers", "sealed", 3, 2, 0),
    )
    assert results_of(script, sealed).status_code == 404
    for expert in experts:
        RaterAtWork(expert, lights).judge_all(sealed, ["C", "W", "C"])
        working.lock(sealed, by=expert, now=NOON)
    jobs.measure_judging_rounds()
    told = results_of(script, sealed).json()["results"]
    assert told["results"]["shares"]["C"]["share"][0] == pytest.approx(2 / 3, abs=0.01)
    assert script.get(f"projects/lights/rounds/{sealed.uuid}/").json()["sha256"] == sealed.sha256


def test_a_lead_who_rates_reads_no_results_before_their_own_marks_are_locked(
    lights: Project, lead: User, experts: list[User]
):
    row = draft(lights, lead)
    for person in (lead, experts[0]):
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    RaterAtWork(experts[0], lights).judge_all(row, ["W", "W", "W"])
    working.lock(row, by=experts[0], now=NOON)
    jobs.measure_judging_rounds()
    answer = results_of(reader(lead), row)
    assert (answer.status_code, answer.json()["type"]) == (409, "judges_it")
    other = join(lights, "leo", Role.LEAD)
    assert results_of(reader(other), row).status_code == 200
