"""A lead's script reads courses and attempts without keys, publishes and closes, and decides about attempts."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from annotation.models import Project, User
from qualification.courses import editing, sitting
from qualification.models import Attempt, Qualification
from tests.builders import project
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.api.callers import Caller, leading, reader
from tests.people import NOON, join
from tests.qualification.courses.building import prepare, sit, three_blocks

ONE = "projects/lights/courses/reading/"
WHY = {"reason": "The site was down."}


@pytest.fixture(scope="module")
def reading_once(shared_rows: Path) -> int:
    made = QualificationFactory(project=project())
    CourseVersionFactory(qualification=made, course=three_blocks())
    return made.pk


@pytest.fixture
def reading(reading_once: int, db: None) -> Qualification:
    return Qualification.objects.select_related("project").get(pk=reading_once)


@pytest.fixture
def nq(reading: Qualification) -> Project:
    return reading.project


@pytest.fixture
def script(nq: Project, lena: User) -> Caller:
    return leading(lena, nq)


@pytest.fixture
def sat(reading: Qualification, alice: User, bob: User, lena: User) -> list[Attempt]:
    """Alice is admitted; Bob has another attempt; Lena's trial counts nowhere."""
    for person in (alice, bob):
        prepare(person, reading)
    sitting.issue_trial(lena, reading, reading.course_versions.get(), now=NOON)
    return [sit(alice, reading), sit(bob, reading, fail=("background",))]


def test_a_draft_is_published_as_it_was_read_and_the_course_closed_and_opened(script: Caller, reading: Qualification):
    draft = editing.edit(reading, by=None, now=NOON)
    stale = script.get(ONE)["ETag"]
    course = three_blocks().model_copy(update={"wait_hours": 1})
    editing.save(draft, course, edits=0, by=None, now=NOON)
    assert script.post(f"{ONE}publish/", If_Match=stale).status_code == 412
    told = script.get(ONE)
    assert (told.json()["is_changed"], [row["state"] for row in told.json()["versions"]]) == (
        True,
        ["draft", "published"],
    )
    done, again = (script.post(f"{ONE}publish/", If_Match=told["ETag"], Idempotency_Key="1") for _ in range(2))
    assert again.json() == done.json()
    assert [row["state"] for row in done.json()["versions"]] == ["published", "published"]
    assert script.post(f"{ONE}publish/").status_code == 404
    assert script.post(f"{ONE}close/").json()["versions"][0]["state"] == "closed"
    assert script.post(f"{ONE}reopen/").json()["versions"][0]["state"] == "published"
    [row] = script.get("projects/lights/courses/").json()["results"]
    assert (row["key"], len(row["versions"])) == ("reading", 2)


def test_a_draft_that_was_read_is_published_though_somebody_begins_the_course_meanwhile(
    script: Caller, reading: Qualification, alice: User
):
    draft = editing.edit(reading, by=None, now=NOON)
    editing.save(draft, three_blocks().model_copy(update={"wait_hours": 1}), edits=0, by=None, now=NOON)
    before = script.get(ONE)
    prepare(alice, reading)
    assert script.get(ONE).json()["unfinished"] == before.json()["unfinished"] + 1
    assert script.post(f"{ONE}publish/", If_Match=before["ETag"]).status_code == 200


def test_what_stands_in_the_way_of_publishing_is_told_and_nothing_is_published(script: Caller, reading: Qualification):
    draft = editing.edit(reading, by=None, now=NOON)
    editing.save(draft, three_blocks().model_copy(update={"blocks": ()}), edits=0, by=None, now=NOON)
    assert script.get(ONE).json()["obstacles"] == [{"of": "", "why": "The exam has no block yet."}]
    refused = script.post(f"{ONE}publish/")
    assert (refused.status_code, refused.json()["detail"]) == (409, str(editing.UNFINISHED))
    assert reading.course_versions.filter(published_at=None).exists()


def test_attempts_and_figures_are_those_of_the_pages_without_what_was_answered(
    script: Caller, sat: list[Attempt], alice: User, bob: User
):
    rows = script.get(f"{ONE}attempts/").json()["results"]
    assert [(row["person"], row["outcome"]) for row in rows] == [
        (alice.worker_code, "admitted"),
        (bob.worker_code, "again"),
    ]
    first = rows[1]["blocks"][0]
    assert (first["points"], first["of"], first["passed"]) == (0.0, 2, False)
    assert script.get(f"{ONE}attempts/", {"outcome": "again"}).json()["results"] == rows[1:]
    figures = script.get(f"{ONE}figures/").json()
    steps = {step["key"]: step["n"] for step in figures["steps"]}
    assert (steps["finished"], steps["admitted"]) == (2, 1)
    told = [script.get(ONE).content, script.get(f"{ONE}attempts/").content, script.get(f"{ONE}figures/").content]
    hidden = ("Explanation", "Option", "Stem", "right_options", '"alice"', '"bob"')
    assert not [word for word in hidden for text in told if word.encode() in text]


def test_an_attempt_is_voided_with_a_reason_and_counts_again(script: Caller, sat: list[Attempt], lena: User):
    address = f"{ONE}attempts/{sat[1].uuid}/"
    assert script.post(f"{address}void/").json()["type"] == "reason_missing"
    assert script.post(f"{address}void/", WHY).json()["voided_why"] == WHY["reason"]
    assert script.get(f"{ONE}attempts/", {"outcome": "voided"}).json()["results"] == [script.get(address).json()]
    assert script.post(f"{address}count/").json()["voided_at"] is None
    trial = Attempt.objects.get(user=lena)
    assert script.post(f"{ONE}attempts/{trial.uuid}/void/", WHY).status_code == 404
    assert reader(lena).post(f"{address}void/", WHY).status_code == 403


def test_members_are_given_more_time_in_the_exam(script: Caller, reading: Qualification, alice: User):
    sent = {"person": alice.worker_code, "minutes": 15} | WHY
    [row] = script.post(f"{ONE}time/", sent).json()["results"]
    assert (row["person"], row["minutes"]) == (alice.worker_code, 15)
    assert script.post(f"{ONE}time/", sent | {"minutes": 0}).json()["results"] == []
    assert script.post(f"{ONE}time/", sent | {"person": "alice"}).json()["errors"][0]["field"] == "person"


def test_courses_and_attempts_of_another_project_do_not_exist(script: Caller, sat: list[Attempt], lena: User):
    there = project("others")
    join(there, lena.username, "lead")
    QualificationFactory(project=there)
    # The same key, without a course.
    assert reader(lena).get("projects/others/courses/reading/").status_code == 404
    assert reader(lena).get(f"projects/others/courses/reading/attempts/{sat[0].uuid}/").status_code == 404
    assert script.get("projects/others/courses/").status_code == 404
    assert script.get(f"{ONE}attempts/{uuid.uuid4()}/").status_code == 404
