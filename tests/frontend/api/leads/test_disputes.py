"""A lead's script finds disputes, reads the answers side by side, and decides, as on the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Adjudication, Item, Project, Role, User
from tasks.engine import similarity
from tests.builders import project
from tests.disagreeing import BAD, NOTHING, answered, box, lights
from tests.frontend.api.callers import Caller, leading, reader
from tests.frontend.experts.deciding import expert, sides, task
from tests.people import join

WHY = {"reason": "The smallest box that answers it."}


@pytest.fixture(scope="module")
def disputed_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    return answered(lights(tmp_path_factory.mktemp("lights")), box(1), box(2), BAD).pk


@pytest.fixture
def item(disputed_once: int, db: None) -> Item:
    return Item.objects.select_related("project").get(pk=disputed_once)


@pytest.fixture
def nq(item: Item) -> Project:
    return item.project


@pytest.fixture
def lena(nq: Project) -> User:
    return join(nq, "lena", Role.LEAD)


@pytest.fixture
def script(nq: Project, lena: User) -> Caller:
    return leading(lena, nq)


def of(item: Item, what: str = "") -> str:
    return f"projects/lights/disputes/annotate/{item.pk}/{what}"


def decided(script: Caller, item: Item, chosen: str) -> Any:
    return script.post(of(item, "decide/"), {"annotation": chosen} | WHY)


def test_disputes_are_listed_least_agreement_first_page_after_page(script: Caller, nq: Project, item: Item):
    other = answered(nq, box(1), box(1), BAD, names=["x", "y", "z"])
    similarity.measure(nq, [(item.pk, "annotate"), (other.pk, "annotate")])
    whole = script.get("projects/lights/disputes/").json()["results"]
    assert [row["item"] for row in whole] == [item.pk, other.pk]
    assert whole[0]["agreement"] < whole[1]["agreement"]
    first = script.get("projects/lights/disputes/", {"limit": 1}).json()
    assert script.get("projects/lights/disputes/", {"cursor": first["next"]}).json()["results"][0]["item"] == other.pk
    assert script.get("projects/lights/disputes/", {"activity": "check"}).json()["results"] == []


def test_the_answers_stand_side_by_side_under_the_letters_of_the_page(script: Caller, item: Item, lena: User):
    told = script.get(of(item)).json()
    assert (told["state"], told["n"], told["least"], told["decision"]) == ("open", 3, 0.6, None)
    there = [(side.letter, [str(each) for each in side.uuids]) for side in sides(lena, item)]
    assert [(side["letter"], side["annotations"]) for side in told["sides"]] == there
    assert {answer["step"] for side in told["sides"] for answer in side["answers"]} >= {"question"}
    assert "annotator-" not in script.get(of(item)).content.decode()


def test_a_decision_is_made_once_and_taken_back(script: Caller, item: Item, lena: User):
    chosen = script.get(of(item)).json()["sides"][1]["annotations"][0]
    assert script.post(of(item, "decide/"), {"annotation": chosen}).json()["type"] == "reason_missing"
    done = decided(script, item, chosen).json()
    assert (done["state"], done["decision"]["annotation"], done["decision"]["by"]) == (
        *("decided", chosen),
        lena.worker_code,
    )
    refused = decided(script, item, chosen)
    assert refused.status_code == 409
    assert refused.json()["detail"].startswith("Somebody else has decided this dispute in the meantime.")
    assert [row["item"] for row in script.get("projects/lights/disputes/", {"state": "decided"}).json()["results"]] == [
        item.pk
    ]
    back = script.post(of(item, "undo/"), {"reason": "A slip."}).json()
    assert (back["state"], [row["why"] for row in back["taken_back"]]) == ("open", ["A slip."])
    assert not Adjudication.objects.filter(taken_back_at=None).exists()


def test_more_annotations_are_asked_for_instead_once_and_that_is_taken_back(script: Caller, item: Item):
    slots = task(item).slots
    assert script.post(of(item, "ask/"), {"reason": "Which box?"}).json()["state"] == "asked"
    assert script.post(of(item, "ask/"), {}).status_code == 409
    assert task(item).slots == (slots or 0) + 2
    assert script.post(of(item, "unask/")).json()["state"] == "open"
    assert script.post(of(item, "unask/")).status_code == 409
    assert task(item).slots == slots


def test_experts_decide_in_the_browser_and_nothing_of_another_project_is_found(
    script: Caller, nq: Project, item: Item, lena: User
):
    assert reader(expert(nq, "erin")).get(of(item)).status_code == 404
    join(project("others"), lena.username, "lead")
    assert reader(lena).get(f"projects/others/disputes/annotate/{item.pk}/").status_code == 404
    other = answered(nq, NOTHING, NOTHING, NOTHING, names=["x", "y", "z"])
    assert decided(script, item, str(other.annotations.get(author__username="x").uuid)).status_code == 404
    assert decided(reader(lena), item, str(item.annotations.all()[0].uuid)).status_code == 403
    assert task(item).state == "disputed"
