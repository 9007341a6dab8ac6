"""Bots answer, and their answers survive a release and its import."""

from __future__ import annotations

from random import Random

import orjson
import pytest

from annotation import registry, releases
from tasks.engine import queues
from tests import builders
from tests.people import NOON
from tests.protocols.examples import EXAMPLES
from tests.protocols.peers import finish_one

KEY = "skeleton_one"


@pytest.fixture
def texts(db):
    """A project with the text of the example, which two people have answered."""
    made = builders.project("texts", KEY)
    builders.load(made, EXAMPLES / KEY / "examples" / "items.jsonl")
    queues.open_queue(made, "mark", by=None, now=NOON)
    for number in (1, 2):
        finish_one(made, registry.get(KEY).activities[0], f"ann-{number}-", Random(number))
    return made


def lines_of(project) -> list[dict]:
    release = releases.build(project, format=KEY, by=None, now=NOON)
    return [orjson.loads(line) for line in (releases.folder_of(release) / "train.jsonl").read_bytes().splitlines()]


def test_answers_survive_a_release_and_its_import(texts):
    [line] = lines_of(texts)
    again = builders.project("texts-again", KEY)
    builders.load(again, releases.folder_of(texts.releases.get()) / "train.jsonl", published=True)
    [other] = lines_of(again)
    assert [one["steps"] for one in other["annotations"]] == [one["steps"] for one in line["annotations"]]
    assert {key: other[key] for key in ("id", "text", "prompt", "source")} == {
        key: line[key] for key in ("id", "text", "prompt", "source")
    }
