"""Releases: what is included, the same bytes each time, all or nothing, and readable by the official scorer."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import sys

import orjson
import pytest

from annotation import pseudonyms, releases
from annotation.engine import recording
from annotation.errors import ReleaseRefused
from annotation.models import Annotation, Release
from annotation.releases import data_files
from tasks.engine import assignments
from tests.builders import GOOD, Worker, load, open_with, project, questions, reload
from tests.people import NOON, join


def build(project, format="nq", **kwargs):
    return releases.build(project, format=format, by=None, now=NOON, **kwargs)


def records(release):
    folder = releases.folder_of(release)
    names = [entry["name"] for entry in releases.manifest_of(release)["files"]]
    return {
        name: [json.loads(line) for line in gzip.decompress((folder / name).read_bytes()).split(b"\n")[:-1]]
        for name in names
    }


def answer_with_span(worker):
    """Good, the first box, its third and fourth words."""
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    sheet = assignments.work_of(reload(mine)).sheet("long_answer")
    worker.commit(mine, "long_answer", {"kind": "box", "candidate": 0, "quote": sheet.boxes[0].excerpt[:200]})
    work = assignments.work_of(reload(mine))
    rendering = work.record.documents[0].rendering(0)
    start = rendering.words[1][0]
    quote = rendering.quote(start, start + 2)
    span = {"start": start, "end": start + 2, "quote": quote}
    worker.commit(mine, "short_answer", {"kind": "spans", "spans": [span]})
    return reload(mine)


def test_our_own_annotations_are_released_in_the_published_layout(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    answer_with_span(Worker(alice, nq))
    [[record]] = records(build(nq)).values()
    [annotation] = record["annotations"]
    [span] = annotation["short_answers"]
    cut = record["document_html"].encode()[span["start_byte"] : span["end_byte"]].decode()
    assert list(record) == sorted(record)
    assert cut == "first harbour"
    assert annotation["long_answer"]["candidate_index"] == 0


def test_a_bad_question_and_no_answer_are_null_annotations(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(2))
    worker = Worker(alice, nq)
    worker.finish_bad()
    worker.finish_without_answer()
    [rows] = records(build(nq)).values()
    for row in rows:
        assert row["annotations"][0]["long_answer"]["candidate_index"] == -1
        assert row["annotations"][0]["yes_no_answer"] == "NONE"


@pytest.mark.parametrize("spelt", ["test", "Test"])
def test_a_sequestered_split_leaves_only_when_it_is_named(db, tmp_path, spelt):
    secret = project(sequestered=[spelt], activities={"annotate": {"overlap": {"test": 1}}})
    open_with(secret, tmp_path, [*questions(1), *questions(1, split="test", start=5)])
    worker = Worker(join(secret, "ada"), secret)
    worker.finish_bad()
    worker.finish_bad()
    assert list(releases.manifest_of(build(secret))["counts"]) == ["train"]
    assert list(releases.manifest_of(build(secret, splits=["test"]))["counts"]) == ["test"]


def test_an_item_with_fewer_annotations_than_its_split_wants_is_left_out_and_counted(nq, alice, tmp_path):
    open_with(nq, tmp_path, [*questions(1), *questions(1, split="dev", start=5)])
    worker = Worker(alice, nq)
    worker.finish_bad()
    worker.finish_bad()
    manifest = releases.manifest_of(build(nq))
    assert manifest["counts"]["train"]["items"] == 1
    assert manifest["counts"]["dev"]["left_out_incomplete"] == 1
    assert releases.manifest_of(build(nq, partial=True))["counts"]["dev"]["items"] == 1


def test_excluded_and_unfinished_annotations_stay_out(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(2))
    done = Worker(alice, nq).finish_bad()
    Worker(bob, nq).commit(Worker(bob, nq).claim(), "question", GOOD)
    recording.exclude(done.annotation, by=None, reason="test", now=NOON)
    with pytest.raises(ReleaseRefused):
        build(nq)
    assert Release.objects.get().state == Release.State.FAILED


def test_a_release_built_twice_differs_in_the_ids_of_annotations_only(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(2))
    answer_with_span(Worker(alice, nq))
    Worker(alice, nq).finish_bad()
    first, second = build(nq), build(nq)
    [rows], [again] = records(first).values(), records(second).values()
    ids, others = ([one.pop("annotation_id") for row in found for one in row["annotations"]] for found in (rows, again))
    assert not set(ids) & set(others)
    assert rows == again
    assert (first.version, second.version) == (1, 2)


def test_the_manifest_hashes_a_packed_file_and_the_text_in_it(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    release = build(nq)
    [entry] = releases.manifest_of(release)["files"]
    packed = (releases.folder_of(release) / entry["name"]).read_bytes()
    text = gzip.decompress(packed)
    assert (entry["bytes"], entry["sha256"]) == (len(packed), hashlib.sha256(packed).hexdigest())
    assert (entry["unpacked_bytes"], entry["unpacked_sha256"]) == (len(text), hashlib.sha256(text).hexdigest())


@pytest.mark.parametrize("format", ["nq", "nq-simplified", "provenance", "huggingface"])
def test_sha256sum_checks_all_that_is_given_out(nq, alice, tmp_path, format):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    release = build(nq, format)
    names = [entry["name"] for entry in releases.files_in(releases.manifest_of(release))]
    for name in names:
        shutil.copy(releases.folder_of(release) / name, tmp_path / name)
    checked = ["sha256sum", "--strict", "--check", "SHA256SUMS"]
    done = subprocess.run(checked, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert sorted(done.stdout.splitlines()) == sorted(f"{name}: OK" for name in names if name != "SHA256SUMS")
    assert {"README.md", "manifest.json"} < set(names)
    (tmp_path / "README.md").write_text("another card")
    assert subprocess.run(checked, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_a_failed_release_leaves_no_file_behind(nq, alice, tmp_path, monkeypatch):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    monkeypatch.setattr(data_files, "data_files", lambda *a, **k: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        build(nq)
    folder = releases.folder_of(Release.objects.get())
    assert list(folder.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "format"), [("nq-dev-00.jsonl.gz", "nq"), ("simplified-1example.json", "nq-simplified")]
)
def test_a_published_file_comes_out_field_for_field(nq, shared, name, format):
    path = shared / "nq" / name
    load(nq, path, published=True, split="dev")
    opener = gzip.open if name.endswith("gz") else open
    given = [json.loads(line) for line in opener(path, "rb")]
    [rows] = records(build(nq, format=format)).values()
    assert rows == given


def test_the_official_scorer_reads_five_annotations_of_ours(nq, tmp_path):
    open_with(nq, tmp_path, questions(4, split="dev"))
    for number in range(5):
        worker = Worker(join(nq, f"annotator-{number}"), nq)
        for _ in range(4):
            answer_with_span(worker)
    release = build(nq)
    [rows] = records(release).values()
    assert [len(row["annotations"]) for row in rows] == [5] * 4
    predictions = [
        {
            "example_id": row["example_id"],
            "long_answer": {k: v for k, v in row["annotations"][0]["long_answer"].items() if k != "candidate_index"},
            "long_answer_score": 1.0,
            "short_answers": row["annotations"][0]["short_answers"],
            "short_answers_score": 1.0,
            "yes_no_answer": row["annotations"][0]["yes_no_answer"],
        }
        for row in rows
    ]
    (tmp_path / "predictions.json").write_bytes(orjson.dumps({"predictions": predictions}))
    scored = subprocess.run(
        [
            sys.executable, "-m", "natural_questions.nq_eval",
            f"--gold_path={releases.folder_of(release)}/nq-dev-*.jsonl.gz",
            f"--predictions_path={tmp_path}/predictions.json", "--num_threads=1",
        ],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    figures = json.loads(scored.stdout)
    assert figures["long-best-threshold-f1"] == 1.0
    assert figures["short-best-threshold-f1"] == 1.0


def test_a_release_contains_no_names(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    folder = releases.folder_of(build(nq))
    text = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"alice" not in text
    assert alice.worker_code.encode() not in text


def test_annotation_ids_are_unsigned_64_bit_and_unique(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(3))
    worker = Worker(alice, nq)
    for _ in range(3):
        worker.finish_bad()
    [rows] = records(build(nq)).values()
    ids = {row["annotations"][0]["annotation_id"] for row in rows}
    assert len(ids) == Annotation.objects.count() == 3
    assert all(0 <= number < 2**64 for number in ids)


def test_the_ids_of_a_release_do_not_depend_on_the_secret_key(nq, alice, settings):
    uuid = str(Annotation().uuid)
    before = pseudonyms.id_in("questions/1", uuid)
    settings.SECRET_KEY = "another"
    assert pseudonyms.id_in("questions/1", uuid) == before


def test_a_split_without_items_is_named_and_takes_no_version(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    answer_with_span(Worker(alice, nq))
    with pytest.raises(ReleaseRefused, match=r"nothing in a split nosuch, only in: train\."):
        build(nq, splits=["train", "nosuch"])
    assert build(nq, splits=["train"]).version == 1
