"""A pair's talk is released with who said what, and a published talk survives a round trip."""

from __future__ import annotations

from datetime import timedelta

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation import registry, releases
from annotation.engine.exclusion import exclude
from annotation.errors import ReleaseRefused
from annotation.models import Annotation, Item, Response
from annotation.releases import job, rebuild
from tasks import corrections
from tasks.engine import skip_and_return
from tests import builders
from tests.people import NOON
from tests.protocols.toy.building import Pair, toy_project
from tests.protocols.toy.protocol import TURNS

pytestmark = pytest.mark.django_db


def released(project, **recipe):
    """The records of a release of the project."""
    found = registry.get("toy").formats[0]
    release = releases.build(project, format=found.key, by=None, now=NOON, **recipe)
    lines = []
    for path in sorted(releases.folder_of(release).glob("toy-*.jsonl")):
        lines += [orjson.loads(line) for line in path.read_bytes().splitlines()]
    return release, lines


PUBLISHED = {
    "id": "p1",
    "topic": "A published topic",
    "fact": "A published fact",
    "talks": [
        {
            "id": "talk-7",
            "turns": [[{"text": f"ask {n}"}, {"text": f"tell {n}", "reason": ""}] for n in range(1, TURNS + 1)],
            "people": {},
        }
    ],
}


def test_a_talk_is_released_with_its_turns_and_a_pseudonym_for_each_seat(tmp_path):
    toys = toy_project()
    pair = Pair.seated(toys)
    pair.talk()
    release, (record,) = released(toys)
    (talk,) = record["talks"]
    assert [[one["text"] for one in turn] for turn in talk["turns"]] == [
        [f"ask-{turn} by asker", f"tell-{turn} by teller"] for turn in (1, 2, 3)
    ]
    assert set(talk["people"]) == {"asker", "teller"}
    assert len(set(talk["people"].values())) == 2
    for person in (pair.asker, pair.teller):
        assert person.username not in talk["people"].values()
        assert person.worker_code not in talk["people"].values()
    _again, (same,) = released(toys)
    assert set(same["talks"][0]["people"].values()).isdisjoint(talk["people"].values())
    rebuild.rebuild(release, tmp_path)


def test_both_people_of_a_talk_are_counted_before_a_release_and_in_it(db):
    toys = toy_project()
    Pair.seated(toys).talk()
    assert job.counted_preview(toys, format="toy")["people"] == 2
    release, (record,) = released(toys)
    people = record["talks"][0]["people"].values()
    assert releases.manifest_of(release)["annotations_by_person"] == dict.fromkeys(people, 1)


def test_more_talks_take_no_more_queries_of_a_preview(db):
    toys = toy_project()

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            job.counted_preview(toys, format="toy", partial=True)
        return len(asked)

    Pair.seated(toys).talk()
    one = queries()
    for number in range(3):
        Pair.seated(toys, f"ann-{number}", f"tom-{number}").talk()
    assert queries() == one


def test_a_broken_talk_is_in_no_release(db):
    toys = toy_project()
    pair = Pair.seated(toys)
    pair.talk(until=2)
    with pytest.raises(ReleaseRefused):
        released(toys, partial=True)


def test_excluding_one_person_excludes_what_they_made_with_others(db):
    toys = toy_project()
    pair = Pair.seated(toys)
    pair.talk()
    exclude(toys, worker=pair.teller.worker_code, by=None, reason="asked for it", now=NOON)
    assert Annotation.objects.get().excluded_at == NOON


def test_a_published_talk_comes_out_as_it_went_in(tmp_path):
    toys = builders.project("toys", "toy")
    path = builders.write_lines(tmp_path / "toy-train.jsonl", [PUBLISHED])
    builders.load(toys, path, published=True)
    assert list(Response.objects.values_list("stage", "turn", "seat").order_by("pk")) == [
        (stage, turn, seat) for turn in (1, 2, 3) for stage, seat in (("ask", "asker"), ("tell", "teller"))
    ]
    _release, lines = released(toys)
    assert lines == [PUBLISHED]


def test_a_half_finished_revision_after_re_opening_is_not_released(db):
    toys = toy_project()
    pair = Pair.seated(toys)
    pair.talk()
    Item.objects.filter(kind="talks").update(made_from=None)
    corrections.reopen(toys, pair.annotation.uuid, by=None, reason="look again", now=NOON)
    pair.say("asker", "ask-3", text="asked otherwise", now=NOON + timedelta(hours=1))
    row = pair.row("teller")
    skip_and_return.give_back(row, by=row.annotator, now=NOON)
    _release, (record,) = released(toys)
    assert record["talks"][0]["turns"][2][0]["text"] == "ask-3 by asker"
