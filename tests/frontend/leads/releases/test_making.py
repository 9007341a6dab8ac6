"""A lead makes a release in the browser: what it would contain, its build, and why it was not frozen."""

from __future__ import annotations

from datetime import timedelta

import orjson
import pytest

from annotation import releases
from annotation.engine import exclusion, recording
from annotation.errors import ReleaseRefused
from annotation.models import Job, Purpose, Release, Role
from annotation.protocols.nq import formats
from frontend.leads.releases.shown import recipe_in_words
from tasks.background import long_jobs
from tests.builders import Worker, project
from tests.factories.record import AnnotationFactory
from tests.frontend.leads.releases.conftest import lead_of
from tests.people import NOON, join


def counted(context):
    return {row["split"]: (row["items"], row["annotations"]) for row in context["counts"]}


def left_out(context):
    return {(row.split, row.why): row.n for row in context["left_out"]}


def test_what_is_counted_before_is_what_the_release_contains(lead, lights):
    done = Worker(join(lights, "cleo"), lights).finish_bad().annotation
    recording.exclude(done, by=None, reason="not read", now=NOON)
    page = lead.get("new_release", query={"format": "nq", "split": ["train", "dev"], "partial": "on"}).context
    job = lead.build(split=["train", "dev"], partial="on")
    manifest = releases.manifest_of(Release.objects.get(version=job.report["result"]["version"]))
    assert counted(page) == {split: (row["items"], row["annotations"]) for split, row in manifest["counts"].items()}
    assert manifest["left_out"] == page["preview"]["left_out"]
    assert (done.item.split, "excluded: not read") in left_out(page)


def test_the_release_is_listed_with_its_maker_and_files_that_can_be_downloaded(lead, lights):
    lead.build()
    page = lead.get()
    [listed] = page.context["releases"]
    assert (listed.row.version, listed.row.state, listed.row.by.username) == (1, "ready", "lena")
    names = [file["name"] for file in page.context["shown"]["files"]]
    beside = ["README.md", "schema.json", "croissant.json", "lights-1.zip", "manifest.json", "SHA256SUMS"]
    assert names == ["nq-train-00.jsonl.gz", *beside]
    for file in page.context["shown"]["files"]:
        answer = lead.client.get(file["url"])
        assert answer["X-Goldfinch-Send"] == f"{lights.slug}/1/{file['name']}"
        assert len(file["sha256"]) == (0 if file["name"] == "SHA256SUMS" else 64)
    assert answer["Content-Type"].startswith("text/plain")


def test_a_file_that_is_not_given_out_is_404(lead, lights):
    lead.build()
    for name in ("../../secret_key", "members.jsonl", "none.gz", "manifest.json.gz", "%2e%2e%2fsecret_key"):
        assert lead.client.get(f"/projects/{lights.slug}/releases/1/{name}").status_code == 404, name


def test_what_late_work_exams_and_unfinished_work_leave_out_is_said(lead, lights):
    worker = Worker(join(lights, "cleo"), lights)
    late, _open = worker.finish_bad().annotation, worker.claim()
    recording.exclude(late, by=None, reason=exclusion.LATE, now=NOON)
    AnnotationFactory(item=late.item, author=lead.user, purpose=Purpose.QUIZ, completed_at=NOON)
    shown = left_out(lead.get("new_release", query={"format": "nq", "split": ["train", "dev"]}).context)
    assert shown[late.item.split, "it came too late for a slot"] == 1
    assert shown[late.item.split, "answers in exams"] == 1
    assert any(why == "begun, but not finished" for _split, why in shown)
    assert shown["dev", "not all of their annotations are finished"] == 2


def test_a_sequestered_split_leaves_only_when_it_is_chosen(lead, lights):
    lights.config = {**lights.config, "sequestered": ["dev"]}
    lights.save()
    page = lead.get("new_release").context
    assert [split["checked"] for split in page["form"].split_choices()] == [False, True]
    assert ("dev", "a sequestered split: it leaves only when it is named") in left_out(page)
    lead.build()
    assert Release.objects.get().recipe["splits"] == []
    lead.build(split=["dev", "train"], partial="on")
    manifest = releases.manifest_of(Release.objects.get(version=2))
    assert manifest["recipe"]["splits"] == ["dev", "train"]
    assert manifest["counts"]["dev"]["items"] == 1


def test_what_was_said_after_the_cut_off_does_not_count(lead, lights):
    later = NOON + timedelta(hours=3)
    Worker(join(lights, "cleo"), lights).finish_bad(now=later)
    until = (NOON + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
    chosen = {"split": ["dev"], "partial": "on", "until": until}
    page = lead.get("new_release", query=chosen | {"format": "nq"}).context
    assert left_out(page)["dev", "finished after the cut-off"] == 1
    lead.build(**chosen)
    manifest = releases.manifest_of(Release.objects.get())
    assert manifest["counts"]["dev"]["annotations"] == 1
    assert manifest["recipe"]["until"] == "2026-11-20T13:00:00+00:00"
    said = recipe_in_words(manifest["recipe"])
    assert "Nothing that was said after 20 November 2026, 13:00 UTC counts." in said


def test_impossible_choices_are_refused_beside_their_field(lead, lights):
    for wrong in ({"split": []}, {"format": "no-such"}, {"until": "2999-01-01T00:00"}, {"until": "?"}):
        response = lead.post("new_release", **({"format": "nq", "split": ["train"]} | wrong))
        assert response.status_code == 422
        assert list(response.context["form"].errors) == list(wrong)
        assert not lights.jobs.filter(kind="build_release").exists()


@pytest.fixture
def broken(lights, monkeypatch):
    """The format refuses one of the questions."""
    item = lights.items.filter(split="train").order_by("position").first()
    write = formats._WRITERS["nq"]

    def refuse(record, annotations):
        if record.external_id == item.external_id:
            raise ReleaseRefused(f"Question {record.external_id}: its words are not in the page.")
        return write(record, annotations)

    monkeypatch.setitem(formats._WRITERS, "nq", refuse)
    return item


def test_a_release_that_cannot_be_frozen_says_why_and_can_be_built_without_those_items(lead, lights, broken):
    job = lead.build()
    assert job.state == Job.State.FAILED
    assert job.error.startswith("Not frozen: 1 item can't be written in this format.")
    page = lead.get("release_job", job.pk)
    assert [row["item"] for row in page.context["refused"]] == [broken.pk]
    assert lead.post("release_without", job.pk).status_code == 302
    assert lead.work().state == Job.State.DONE
    release = Release.objects.get(state=Release.State.READY)
    manifest = releases.manifest_of(release)
    assert manifest["counts"]["train"]["left_out_by_name"] == 1
    members = (releases.folder_of(release) / "members.jsonl").read_bytes().splitlines()
    assert broken.external_id not in [orjson.loads(line)["external_id"] for line in members]


def test_a_build_waits_its_turn_is_asked_for_once_and_can_be_cancelled(lead, lights):
    for format in ("nq", "nq-simplified", "nq"):
        lead.post("new_release", format=format, split=["train"])
    second, first = lead.get().context["builds"]
    assert (first.ahead, second.ahead) == (0, 1)
    assert lead.post("cancel_release", first.job.pk).status_code == 302
    assert [build.ahead for build in lead.get().context["builds"]] == [0, 0]
    long_jobs.run(first.job.pk)
    assert not Release.objects.exists()


def test_a_count_that_takes_long_runs_in_the_background(lead, lights, monkeypatch):
    query = {"format": "nq", "split": ["train"]}
    quick = counted(lead.get("new_release", query=query).context)
    monkeypatch.setattr("annotation.releases.job.QUICK", 1)
    assert lead.get("new_release", query=query).context["slow"]
    address = lead.post("count_release", **query)["Location"]
    assert lead.client.get(address).context["job"].state == Job.State.QUEUED
    lead.work()
    assert counted(lead.client.get(address).context) == quick
    assert lead.client.get(address.replace("split=train", "split=dev")).context["slow"]


def test_a_project_without_items_and_one_without_finished_work_say_so(db):
    empty = project("empty")
    lead = lead_of(empty, join(empty, "lena", Role.LEAD))
    assert "Nothing released yet" in lead.get().content.decode()
    assert not lead.get("new_release").context["has_items"]
