"""Two people talk, somebody answers again, and what was said survives a release and its import."""

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

KEY = "skeleton_pair"


@pytest.fixture
def topics(db):
    """A project with the topics of the example; two people have talked about one, and two others answered again."""
    made = builders.project("topics", KEY)
    builders.load(made, EXAMPLES / KEY / "examples" / "items.jsonl")
    for activity in registry.get(KEY).activities:
        queues.open_queue(made, activity.key, by=None, now=NOON)
        finish_one(made, activity, activity.key, Random(1))
    finish_one(made, activity, "another", Random(2))
    return made


def lines_of(project) -> list[dict]:
    release = releases.build(project, format=KEY, by=None, now=NOON)
    return [orjson.loads(line) for line in (releases.folder_of(release) / "train.jsonl").read_bytes().splitlines()]


def test_what_was_said_survives_a_release_and_its_import(topics):
    [line] = lines_of(topics)
    steps = [[step["stage"] for step in talk["steps"]] for talk in line["talks"]]
    assert steps[0][:2] == ["ask", "tell"]
    assert len(line["again"][0]["answers"][0]["steps"]) == len(line["again"][0]["exchanges"])
    again = builders.project("topics-again", KEY)
    builders.load(again, releases.folder_of(topics.releases.get()) / "train.jsonl", published=True)
    [other] = lines_of(again)
    assert [talk["steps"] for talk in other["talks"]] == [talk["steps"] for talk in line["talks"]]
    assert other["again"][0]["exchanges"] == line["again"][0]["exchanges"]
