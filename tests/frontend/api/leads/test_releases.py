"""A lead's script counts what a release would contain, makes it, reads what is in it, downloads and retracts it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation import clock, releases
from annotation.models import Job, Project, Release, User
from tasks.background import long_jobs
from tests.builders import Worker, open_with, project, questions
from tests.frontend.api.callers import Caller, leading, reader
from tests.people import join


@pytest.fixture(scope="module")
def lights_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2))
    Worker(join(made, "ann"), made).finish_bad()
    return made.pk


@pytest.fixture
def nq(lights_once: int, db: None) -> Project:
    """Two items, of which one is done."""
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lights(nq: Project) -> Project:
    return nq


@pytest.fixture
def script(lights: Project, lena: User) -> Caller:
    return leading(lena, lights)


def built(script: Caller, **sent: Any) -> dict[str, Any]:
    """The build of a release, after its turn."""
    answer = script.post("projects/lights/releases/", sent)
    assert answer.status_code == 202, answer.json()
    long_jobs.run(answer.json()["id"])
    return script.get(f"projects/lights/releases/builds/{answer.json()['id']}/").json()


def test_what_is_counted_before_is_what_the_release_contains(script: Caller):
    counted = script.post("projects/lights/releases/count/", {"format": "nq"}).json()
    assert (counted["items"], counted["annotations"], counted["job"], counted["state"]) == (1, 1, None, "done")
    version = built(script, format="nq")["version"]
    assert script.get(f"projects/lights/releases/{version}/").json()["counts"] == counted["counts"]


def test_what_takes_long_is_counted_by_a_job_that_is_asked_for_once(script: Caller, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("annotation.releases.job.QUICK", 0)
    first, second = (script.post("projects/lights/releases/count/", {}) for _ in range(2))
    assert (first.status_code, first.json()["counts"]) == (202, None)
    assert first.json() == second.json()
    long_jobs.run(first.json()["job"])
    assert script.get(f"projects/lights/releases/count/{first.json()['job']}/").json()["items"] == 1


def test_a_release_is_listed_with_its_files_and_hashes(script: Caller, lena: User):
    build = built(script, format="nq", split=["train"])
    assert (build["state"], build["version"], build["error"], build["refused"]) == ("done", 1, "", [])
    [row] = script.get("projects/lights/releases/").json()["results"]
    assert (row["version"], row["state"], row["by"], row["format"]) == (1, "ready", lena.worker_code, "nq")
    files = {one["name"]: one for one in script.get("projects/lights/releases/1/").json()["files"]}
    assert files["manifest.json"]["sha256"] == row["manifest_sha256"]
    for name in files:
        answer = script.get(f"projects/lights/releases/1/files/{name}")
        assert answer["X-Goldfinch-Send"] == f"lights/1/{name}"


@pytest.mark.parametrize("name", ["../../secret_key", "members.jsonl", "none.gz", "%2e%2e%2fsecret_key"])
def test_a_file_that_is_not_given_out_does_not_exist(script: Caller, name: str):
    built(script)
    assert script.get(f"projects/lights/releases/1/files/{name}").status_code == 404


def test_a_retracted_release_says_why_and_gives_out_nothing(script: Caller):
    built(script)
    assert script.post("projects/lights/releases/1/retract/", {"reason": " "}).status_code == 422
    assert script.post("projects/lights/releases/1/retract/", {"reason": "a leak"}).status_code == 200
    told = script.get("projects/lights/releases/1/").json()
    assert (told["state"], told["retracted"]["reason"], told["files"]) == ("retracted", "a leak", [])
    assert script.get("projects/lights/releases/1/files/manifest.json").status_code == 404
    assert script.post("projects/lights/releases/1/retract/", {"reason": "again"}).status_code == 409


def test_a_waiting_build_is_cancelled_and_asked_for_once(script: Caller):
    first, second = (script.post("projects/lights/releases/", {}).json()["id"] for _ in range(2))
    assert first == second
    assert script.post(f"projects/lights/releases/builds/{first}/cancel/").json()["state"] == "cancelled"
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"format": "docx"}, "format"),
        ({"split": ["nowhere"]}, "split"),
        ({"split": []}, "split"),
        ({"times": "minute"}, "times"),
        ({"splits": ["train"]}, "splits"),
    ],
)
def test_what_a_release_does_not_know_is_refused_by_name(script: Caller, body: dict[str, Any], field: str):
    for address in ("releases/", "releases/count/"):
        answer = script.post(f"projects/lights/{address}", body)
        assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (400, [field])
    assert not Job.objects.filter(kind="build_release").exists()


def test_nothing_later_than_the_cut_off_counts_and_it_is_not_in_the_future(script: Caller):
    past, future = clock.now() - timedelta(days=10000), clock.now() + timedelta(days=1)
    assert script.post("projects/lights/releases/count/", {"until": past.isoformat()}).json()["items"] == 0
    assert script.post("projects/lights/releases/count/", {"until": future.isoformat()}).status_code == 400


def test_a_token_that_reads_makes_and_retracts_nothing_but_downloads(script: Caller, lena: User):
    built(script)
    other = reader(lena)
    assert other.post("projects/lights/releases/", {}).status_code == 403
    assert other.post("projects/lights/releases/1/retract/", {"reason": "x"}).status_code == 403
    assert other.get("projects/lights/releases/1/files/manifest.json").status_code == 200


def test_releases_and_builds_of_another_project_do_not_exist(script: Caller, lena: User, lights: Project):
    job = Job.objects.get(pk=built(script)["id"])
    join(project("others"), lena.username, "lead")
    assert reader(lena).get(f"projects/others/releases/builds/{job.pk}/").status_code == 404
    assert reader(lena).get("projects/others/releases/1/").status_code == 404
    assert script.get(f"projects/lights/releases/count/{job.pk}/").status_code == 404
    assert releases.manifest_of(Release.objects.get())["counts"]
