"""A release has what experts decided in a file of its own: the annotations come out as if nothing had been decided."""

from __future__ import annotations

import gzip
import json

import pytest

from annotation import releases
from annotation.models import Role, User
from annotation.releases.rebuild import rebuild
from tasks.disputes import deciding, references, who
from tests.builders import NO_ANSWER, Worker, reload
from tests.disagreeing import BAD, answered, box, lights
from tests.people import NOON, join


@pytest.fixture
def nq(db, tmp_path):
    return lights(tmp_path)


@pytest.fixture
def item(nq):
    return answered(nq, box(1), box(2), BAD)


@pytest.fixture
def erin(nq) -> User:
    user = join(nq, "erin", Role.EXPERT)
    who.begin(user, nq, now=NOON)
    return user


def decide(item, erin, uuid=None):
    task = deciding.task_of(item, "annotate")
    deciding.decide(task, uuid or item.annotations.first().uuid, by=erin, reason="It is the smallest box.", now=NOON)


def build(nq):
    return releases.folder_of(releases.build(nq, format="nq", by=None, now=NOON))


def annotations(folder) -> list:
    text = gzip.decompress((folder / "nq-train-00.jsonl.gz").read_bytes())
    return [list(line["annotations"]) for line in map(json.loads, text.splitlines())]


def without_ids(folder) -> list:
    """The same without their ids, which differ between releases."""
    return [[one | {"annotation_id": None} for one in each] for each in annotations(folder)]


def test_a_dispute_holds_no_release_back(nq, item):
    folder = build(nq)
    assert [len(each) for each in annotations(folder)] == [3]
    assert not (folder / "decisions.jsonl").exists()
    assert "decisions" not in json.loads((folder / "manifest.json").read_bytes())


def test_a_decision_is_beside_the_annotations_and_changes_none_of_them(nq, item, erin):
    before = without_ids(build(nq))
    decide(item, erin)
    folder = build(nq)
    assert without_ids(folder) == before
    [line] = map(json.loads, (folder / "decisions.jsonl").read_bytes().splitlines())
    assert (line["item"], line["split"], line["agreement"]) == (item.external_id, "train", 0.0)
    assert (line["reason"], line["annotation"]["reference"]) == ("It is the smallest box.", False)
    assert line["annotation"]["id64"] in [one["annotation_id"] for each in annotations(folder) for one in each]
    assert [each["stage"] for each in line["answer"]] == ["question", "long_answer", "short_answer"]
    assert "erin" not in json.dumps(line)
    assert erin.worker_code not in json.dumps(line)


def test_a_reference_is_in_no_data_file_and_its_answer_is_in_the_decision(nq, item, erin):
    before = without_ids(build(nq))
    mine = references.write(deciding.task_of(item, "annotate"), by=erin, now=NOON)
    worker = Worker(erin, nq)
    worker.commit(mine, "question", {"verdict": "good"})
    worker.commit(mine, "long_answer", NO_ANSWER)
    decide(item, erin, reload(mine).annotation.uuid)
    folder = build(nq)
    assert without_ids(folder) == before
    [line] = map(json.loads, (folder / "decisions.jsonl").read_bytes().splitlines())
    assert line["annotation"]["reference"] is True
    assert line["answer"][1]["payload"]["kind"] == "none"


def test_a_frozen_release_keeps_a_decision_that_was_taken_back_and_the_next_has_it_no_more(nq, item, erin, tmp_path):
    decide(item, erin)
    release = releases.build(nq, format="nq", by=None, now=NOON)
    deciding.take_back(deciding.task_of(item, "annotate"), by=erin, reason="A slip.", now=NOON)
    again = tmp_path / "again"
    again.mkdir()
    rebuild(release, again)
    frozen = releases.folder_of(release)
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in frozen.iterdir()
    }
    assert not (build(nq) / "decisions.jsonl").exists()
