"""The story of a demo in an activity with a lobby is about what the lobby has drawn, and never about another item."""

from __future__ import annotations

import pytest

from annotation.checking.findings import ProtocolCheck
from annotation.models import Annotation, Role
from annotation.protocol_tools import Demo, Scene
from frontend.bots.history import EXPERT, LEAD, History
from tasks.engine import queues
from tests.people import NOON
from tests.protocols.toy.building import toy_project
from tests.protocols.toy.protocol import EXAMPLES, PROTOCOL

pytestmark = pytest.mark.django_db
ITEMS = EXAMPLES / "items.jsonl"
TALKS = {"activity": "talk", "partners": ("tom",), "answers": 6}


def answer(sheet, external_id, says):
    text = f"{external_id} {len(sheet.lines)}"
    return {"text": text} if sheet.stage == "ask" else {"text": text, "reason": says or "said so"}


@pytest.fixture
def played():
    """A project of the toy with its people."""
    made = toy_project()
    found = History(made, Demo("toys", "Toys", ITEMS, answer))
    for name, role in ((LEAD, Role.LEAD), (EXPERT, Role.EXPERT), ("ann", Role.ANNOTATOR), ("tom", Role.ANNOTATOR)):
        found.join(name, role, now=NOON)
    return found


def topics(found):
    """The captions of the topics, in the order in which its lobby draws them."""
    queue = found.project.queues.get(activity="talk")
    queues.fill(queue, now=NOON)
    return [task.item.payload["topic"] for task in queue.tasks.select_related("item").order_by("order")]


def test_a_scene_that_names_no_item_is_about_what_is_drawn_and_later_scenes_call_it_by_its_name(played):
    first, second, *_others = topics(played)
    played.play(Scene(2, "ann", drawn="what they talk about first", **TALKS), at=NOON)
    played.play(Scene(2, "ann", drawn="next", **TALKS), at=NOON.replace(hour=14))
    scene = Scene(1, "ann", item="what they talk about first", ends="excluded", note="too short")
    played.play(scene, at=NOON.replace(hour=15))
    excluded = {one.item.payload["topic"]: one.excluded_at is not None for one in Annotation.objects.all()}
    assert excluded == {first: True, second: False}


def test_a_scene_that_names_what_is_drawn_is_played(played):
    played.play(Scene(2, "ann", item=topics(played)[0], **TALKS), at=NOON)
    assert Annotation.objects.get().completed_at is not None


def test_a_scene_that_names_another_item_ends_the_story_and_nothing_of_it_is_kept(played):
    first, second, *_others = topics(played)
    with pytest.raises(LookupError) as refused:
        played.play(Scene(2, "ann", item=second, **TALKS), at=NOON)
    assert f"drew {first!r} for ann and tom, but their scene 2 days ago names {second!r}" in str(refused.value)
    assert not Annotation.objects.exists()


WRONG = {
    "a caption that no item has": (
        Scene(2, "ann", item="Zq1topic harbour 9", **TALKS),
        "no item of items.jsonl is called 'Zq1topic harbour 9', and no earlier scene has drawn it.",
    ),
    "an activity that there is not": (
        Scene(2, "ann", "walk", item="Zq1topic harbour 1"),
        "the protocol has no activity 'walk'.",
    ),
    "too few people": (
        Scene(2, "ann", "talk", item="Zq1topic harbour 1"),
        "talk is for 2, and the scene has 0 partners.",
    ),
    "a name for what is named": (
        Scene(2, "ann", item="Zq1topic harbour 1", drawn="first", **TALKS),
        "'first' is what it calls an item that a lobby draws, so it has partners and names no item.",
    ),
    "no item": (Scene(2, "ann", "review"), "it names no item, and no lobby draws one."),
}


@pytest.mark.parametrize(("scene", "cause"), WRONG.values(), ids=WRONG.keys())
def test_check_protocol_names_what_is_wrong_with_a_scene(monkeypatch, scene, cause):
    monkeypatch.setattr(type(PROTOCOL), "demo", Demo("toys", "Toys", ITEMS, answer, story=(scene,)))
    assert f"The demo's story, 2 days ago, ann: {cause}" in ProtocolCheck(PROTOCOL, ITEMS).findings()


def test_check_protocol_takes_what_was_drawn_before_for_an_item(monkeypatch):
    story = (
        Scene(2, "ann", drawn="first", **TALKS),
        Scene(1, "ann", "talk", item="first", ends="excluded", note="too short"),
        Scene(0, "lena", ends="released"),
    )
    monkeypatch.setattr(type(PROTOCOL), "demo", Demo("toys", "Toys", ITEMS, answer, story=story))
    assert not [one for one in ProtocolCheck(PROTOCOL, ITEMS).findings() if "story" in one]
