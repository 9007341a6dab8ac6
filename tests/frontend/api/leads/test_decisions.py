"""A lead's script decides about cases, items and annotations, with reasons, as on the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotation, Case, CaseKind, CaseState, Event, Project, User
from tasks.models.states import AssignmentState
from tests.builders import Worker, open_with, project, questions
from tests.factories.record import CaseFactory
from tests.frontend.api.callers import Caller, leading, reader
from tests.people import join

WHY = {"reason": "copied from a friend"}


@pytest.fixture(scope="module")
def work_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(1, split="dev"))
    for name in ("alice", "bob"):
        Worker(join(made, name), made).finish_bad()
    return made.pk


@pytest.fixture
def nq(work_once: int, db: None) -> Project:
    return Project.objects.get(pk=work_once)


@pytest.fixture
def work(nq: Project) -> list[Annotation]:
    """An item, answered by alice and bob."""
    return list(Annotation.objects.filter(item__project=nq).order_by("pk"))


@pytest.fixture
def script(nq: Project, lena: User) -> Caller:
    return leading(lena, nq)


@pytest.fixture
def flagged(work: list[Annotation], bob: User) -> Case:
    """Bob has flagged what alice said."""
    response = work[0].responses.get(stage="question")
    return CaseFactory(kind=CaseKind.FLAG, annotation=work[0], response=response, author=bob, reason="rude", text="!")


def on_item(script: Caller, row: Annotation, **sent: Any) -> Any:
    return script.post(f"projects/lights/items/{row.item_id}/decide/", WHY | sent)


def on_annotation(script: Caller, row: Annotation, **sent: Any) -> Any:
    return script.post(f"projects/lights/items/{row.item_id}/annotations/{row.uuid}/decide/", WHY | sent)


def test_open_cases_are_listed_and_decided_with_a_reason(script: Caller, flagged: Case, alice: User, bob: User):
    [row] = script.get("projects/lights/cases/").json()["results"]
    assert (row["who"], row["whose"], row["stage"], row["text"]) == (
        bob.worker_code,
        alice.worker_code,
        "question",
        "!",
    )
    address = f"projects/lights/items/{row['item']}/cases/{row['id']}/"
    assert script.post(f"{address}decide/", {"to": "upheld"}).json()["type"] == "reason_missing"
    done = script.post(f"{address}decide/", {"to": "upheld"} | WHY)
    assert (done.status_code, done.json()["state"]) == (200, "upheld")
    assert script.get("projects/lights/cases/").json()["results"] == []
    assert script.get("projects/lights/cases/", {"state": "upheld"}).json()["results"] == [script.get(address).json()]
    assert script.get("projects/lights/cases/", {"state": "upheld", "kind": "leaves"}).json()["results"] == []
    assert Event.objects.filter(kind="case.upheld").get().data["reason"] == WHY["reason"]


def test_of_two_decisions_about_a_case_the_second_is_told_that_it_came_later(script: Caller, flagged: Case):
    address = f"projects/lights/items/{flagged.annotation.item_id}/cases/{flagged.pk}/decide/"
    assert script.post(address, {"to": "dismissed"} | WHY).status_code == 200
    assert script.post(address, {"to": "upheld"} | WHY).status_code == 409
    flagged.refresh_from_db()
    assert flagged.state == CaseState.DISMISSED


def test_a_case_of_another_item_or_project_does_not_exist(script: Caller, flagged: Case, nq: Project, lena: User):
    assert script.get(f"projects/lights/items/999/cases/{flagged.pk}/").status_code == 404
    join(project("others"), lena.username, "lead")
    address = f"items/{flagged.annotation.item_id}/cases/{flagged.pk}/"
    assert reader(lena).get(f"projects/others/{address}").status_code == 404
    assert reader(lena).post(f"projects/lights/{address}decide/", {"to": "upheld"} | WHY).status_code == 403


def test_one_annotation_is_excluded_and_included_again(script: Caller, work: list[Annotation]):
    told = on_annotation(script, work[0], action="exclude").json()
    assert (told["uuid"], told["exclusion_reason"]) == (str(work[0].uuid), WHY["reason"])
    assert on_annotation(script, work[0], action="exclude").status_code == 409
    assert on_annotation(script, work[0], action="restore").json()["excluded_at"] is None


def test_work_is_sent_back_to_its_author_and_that_is_taken_back(script: Caller, work: list[Annotation]):
    def is_open() -> bool:
        return work[0].assignments.filter(state=AssignmentState.LEASED).exists()

    assert on_annotation(script, work[0], action="reopen").status_code == 200
    assert is_open()
    assert on_annotation(script, work[0], action="reopen").status_code == 409
    assert on_annotation(script, work[0], action="take_back_reopening").status_code == 200
    assert not is_open()


def test_all_that_somebody_said_about_an_item_is_excluded_at_once(script: Caller, work: list[Annotation], bob: User):
    assert on_item(script, work[0], action="exclude", person=bob.worker_code).json() == {"done": 1, "refused": []}
    assert Annotation.objects.get(excluded_at__isnull=False) == work[1]
    again = on_item(script, work[0], action="exclude", person=bob.worker_code).json()
    assert (again["done"], [row["n"] for row in again["refused"]]) == (0, [1])


def test_more_annotations_are_asked_for_with_a_number(script: Caller, work: list[Annotation]):
    assert on_item(script, work[0], action="more").json()["errors"][0]["field"] == "count"
    assert on_item(script, work[0], action="more", count=26).status_code == 400
    before = work[0].item.tasks.get().slots
    assert on_item(script, work[0], action="more", count=2).json()["done"] == 1
    assert work[0].item.tasks.get().slots == before + 2


def test_an_item_is_withdrawn_and_brought_back(script: Caller, work: list[Annotation]):
    assert on_item(script, work[0], action="withdraw").json()["done"] == 1
    assert work[0].item.tasks.get().state == "cancelled"
    assert on_item(script, work[0], action="bring_back").json()["done"] == 1
    assert work[0].item.tasks.get().state == "open"
    assert on_item(script, work[0], action="bring_back").status_code == 409


def test_a_decision_needs_a_reason_in_words(script: Caller, work: list[Annotation]):
    for call in (on_item, on_annotation):
        assert call(script, work[0], action="exclude", reason=" ").json()["type"] == "reason_missing"
        assert call(script, work[0], action="burn").status_code == 400
    assert not Annotation.objects.filter(excluded_at__isnull=False).exists()
