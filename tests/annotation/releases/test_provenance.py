"""The format with full provenance: every annotation, its revisions, guidelines, and times no finer than was chosen."""

from __future__ import annotations

import gzip
import hashlib
import json
from datetime import timedelta

import pytest

from annotation import releases
from annotation.engine import recording
from annotation.errors import ReleaseRefused
from annotation.models import Annotation, Project, Release, User
from annotation.releases import rebuild
from tasks import corrections
from tests.annotation.releases.test_hugging_face import taken_in
from tests.builders import BAD, GOOD, NO_ANSWER, Worker, open_with, project, questions, reload, spend
from tests.people import NOON, join

FEW = timedelta(minutes=5)


def answer(worker, held, stage, payload, *, n, seconds, now):
    """Answer a stage after so many seconds with input."""
    spend(held, now=now, ms=1000 * seconds, active=1000 * seconds, n=n, stage=stage)
    worker.commit(held, stage, payload, now=now)


@pytest.fixture(scope="module")
def annotated(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2), activity="annotate")
    worker = Worker(join(made, "alice"), made)
    first = worker.claim()
    answer(worker, first, "question", GOOD, n=1, seconds=60, now=NOON + FEW)
    answer(worker, first, "long_answer", NO_ANSWER, n=2, seconds=90, now=NOON + 2 * FEW)
    other = worker.finish_bad(now=NOON + timedelta(hours=2))
    corrections.reopen(made, first.annotation.uuid, by=None, reason="look again", now=NOON + timedelta(hours=3))
    again = worker.claim(now=NOON + timedelta(hours=3))
    other_kind = {"kind": "none", "reason": "spread"}
    answer(worker, again, "long_answer", other_kind, n=3, seconds=30, now=NOON + timedelta(hours=25))
    recording.exclude(reload(other).annotation, by=None, reason="alice guessed", now=NOON)
    return made.pk


@pytest.fixture
def done(annotated, db) -> Project:
    """Alice's answer to one question, which she revised once it was sent back to her; a second one is excluded.

    Made once for all tests of the module.
    """
    return Project.objects.get(pk=annotated)


@pytest.fixture
def alice(done) -> User:
    return join(done, "alice")


def build(of, **options):
    release = releases.build(of, format="provenance", by=None, now=NOON, **options)
    folder = releases.folder_of(release)
    lines = gzip.decompress((folder / "train.jsonl.gz").read_bytes()).splitlines()
    return [json.loads(line) for line in lines], folder


def test_an_annotation_has_all_its_responses_and_says_which_count(done, alice):
    [item], _folder = build(done)
    [annotation] = item["annotations"]
    stages = [(one["stage"], one["revision"], one["counts"]) for one in annotation["responses"]]
    assert stages == [("question", 1, True), ("long_answer", 1, False), ("long_answer", 2, True)]
    assert [one["payload"] for one in annotation["responses"]][1:] == [NO_ANSWER, {"kind": "none", "reason": "spread"}]
    assert (annotation["guidelines"], annotation["activity"], annotation["purpose"]) == (1, "annotate", "work")
    [worker] = annotation["workers"].values()
    assert len(worker) == 40
    assert {one["worker"] for one in annotation["responses"]} == {worker}
    assert item["documents"][0]["url"] == "https://example.org/wiki/Harbour_lights"


@pytest.mark.parametrize(
    ("times", "completed", "last"),
    [
        ("none", None, None),
        ("month", "2026-11", "2026-11"),
        ("day", "2026-11-20", "2026-11-21"),
        ("hour", "2026-11-20T12Z", "2026-11-21T13Z"),
    ],
)
def test_times_are_as_fine_as_was_chosen(done, times, completed, last):
    [item], _folder = build(done, times=times)
    [annotation] = item["annotations"]
    assert (annotation["completed"], annotation["responses"][-1]["at"]) == (completed, last)
    assert all((one["seconds"] is None) == (times == "none") for one in annotation["responses"])
    assert releases.manifest_of(Release.objects.get())["recipe"]["times"] == times


def test_seconds_are_those_of_work_before_each_answer_and_sum_up_to_those_of_the_card(done):
    [item], folder = build(done)
    [annotation] = item["annotations"]
    assert [one["seconds"] for one in annotation["responses"]] == [60, 90, 30]
    assert annotation["seconds"] == 180
    assert "measured for 1 annotation: 0.1 hours (180 seconds) in all" in (folder / "README.md").read_text()


def test_seconds_after_the_cut_off_are_not_in_it(done):
    [item], folder = build(done, until=NOON + timedelta(hours=4))
    assert [one["seconds"] for one in item["annotations"][0]["responses"]] == [60, 90]
    assert "(150 seconds)" in (folder / "README.md").read_text()


def test_work_that_goes_on_after_a_release_changes_none_of_its_seconds(done, alice, tmp_path):
    _items, folder = build(done)
    first = Annotation.objects.get(excluded_at=None)
    corrections.reopen(done, first.uuid, by=None, reason="once more", now=NOON + timedelta(hours=26))
    again = Worker(alice, done).claim(now=NOON + timedelta(hours=26))
    spend(again, now=NOON + timedelta(hours=27), ms=60_000, active=60_000, n=4, stage="long_answer")
    (tmp_path / "again").mkdir()
    rebuild.rebuild(Release.objects.get(), tmp_path / "again")
    assert (tmp_path / "again" / "train.jsonl.gz").read_bytes() == (folder / "train.jsonl.gz").read_bytes()
    assert build(done)[0][0]["annotations"][0]["seconds"] == 180


def test_unknown_times_are_refused(done):
    with pytest.raises(ReleaseRefused, match="none, month, day, hour"):
        build(done, times="second")


def test_what_was_excluded_is_listed_with_its_reason_beside_the_data(done):
    _items, folder = build(done)
    [line] = (folder / "left_out.jsonl").read_bytes().splitlines()
    found = json.loads(line)
    assert (found["why"], found["reason"], found["split"]) == ("excluded", "[person] guessed", "train")
    assert len(found["annotation"]) == 40


def test_a_frozen_release_is_rebuilt_byte_for_byte_whatever_is_decided_later(done, alice, tmp_path):
    _items, folder = build(done)
    recording.exclude(done.items.get(external_id="1").annotations.get(), by=None, reason="later", now=NOON)
    again = tmp_path / "again"
    again.mkdir()
    rebuild.rebuild(Release.objects.get(), again)
    for path in folder.iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes()


def test_what_was_said_after_the_cut_off_is_not_in_it(done):
    [item], _folder = build(done, until=NOON + timedelta(hours=4))
    [annotation] = item["annotations"]
    assert [one["stage"] for one in annotation["responses"]] == ["question", "long_answer"]
    assert BAD not in [one["payload"] for one in annotation["responses"]]


def test_the_texts_of_documents_are_beside_it_with_what_offsets_count(db, shared, tmp_path):
    talks = taken_in("coqa", shared, tmp_path)
    made = releases.build(talks, format="provenance", by=None, now=NOON)
    lines = documents_of(releases.folder_of(made))
    [item] = entries_of(releases.folder_of(made) / "train.jsonl.gz")
    [text] = [lines[one["sha256"]] for one in item["documents"]]
    assert (text["media_type"], text["offsets_count"]) == ("text/plain", "code points")
    assert hashlib.sha256(text["text"].encode()).hexdigest() == text["sha256"]
    assert any(entry["name"] == "documents.jsonl.gz" for entry in releases.files_in(releases.manifest_of(made)))
    again = tmp_path / "again"
    again.mkdir()
    rebuild.rebuild(made, again)
    assert (again / "documents.jsonl.gz").read_bytes() == (releases.folder_of(made) / "documents.jsonl.gz").read_bytes()


def test_offsets_in_a_page_count_its_tokens(db, shared, tmp_path):
    made = releases.build(taken_in("nq", shared, tmp_path), format="provenance", by=None, now=NOON)
    for page in documents_of(releases.folder_of(made)).values():
        assert page["offsets_count"] == "tokens"
        text, start, end, tag = next(token for token in page["tokens"] if not token[3])
        assert page["text"].encode()[start:end].decode() == text
        assert not tag


def documents_of(folder):
    return {one["sha256"]: one for one in entries_of(folder / "documents.jsonl.gz")}


def entries_of(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
