"""The client's methods for leads, in this process: it decides disputes, begins rounds, gives qualifications."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Project, Role, User
from frontend.leads.judging import pages
from tasks.background import long_jobs
from tests.disagreeing import BAD, answered, box
from tests.disagreeing import lights as disagreeing_lights
from tests.factories.qualification import QualificationFactory
from tests.frontend.api.callers import Caller, leading
from tests.people import join
from tests.tasks.judging.judged_rounds import experts, lead, lights

__all__ = ["experts", "lead", "lights"]
CLIENT = Path(__file__).parents[3] / "frontend" / "api" / "client"


class CallsHere:
    """Its calls, to this process in place of a site. Where it would wait for a job, the job is run."""

    def __init__(self, caller: Caller, project: Project) -> None:
        self._caller, self._project = caller, project

    def pause(self, _seconds: float) -> None:
        long_jobs.run(self._project.jobs.get(kind=pages.SEAL).pk)

    def get(self, path: str, **query: Any) -> Any:
        return self._caller.get(path, query).json()

    def send(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._caller.call(method, path, body or {})
        assert answer.status_code < 300, answer.content
        return answer.json()

    def pages(self, path: str, **query: Any) -> Iterator[Any]:
        yield from self.get(path, **query)["results"]


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(CLIENT)
    projects = importlib.import_module("goldfinch_client.projects")
    return lambda user, project: projects.LedProject(CallsHere(leading(user, project), project), project.slug)


def test_a_round_is_begun_at_once_or_by_a_job(led: Any, lights: Project, lead: User, experts: list[User], monkeypatch):
    codes, script = [each.worker_code for each in experts], led(lead, lights)
    assert script.begin_round("long", codes)["state"] == "sealed"
    monkeypatch.setattr(pages, "IN_REQUEST", 0)
    assert script.begin_round("long", codes)["state"] == "sealed"


def test_a_dispute_is_decided_and_a_qualification_given(led: Any, db: None, tmp_path: Path):
    made = disagreeing_lights(tmp_path)
    answered(made, box(1), box(2), BAD)
    script, alice = led(join(made, "lena", Role.LEAD), made), join(made, "alice")
    [dispute] = script.disputes()
    chosen = script.get(f"disputes/annotate/{dispute['item']}/")["sides"][0]["annotations"][0]
    assert script.decide_dispute(dispute, chosen, "It says all.")["state"] == "decided"
    QualificationFactory(project=made)
    [grant] = script.give_qualification("reading", [alice.worker_code], "She knows it.")
    assert (grant["person"], list(script.attempts("reading"))) == (alice.worker_code, [])
