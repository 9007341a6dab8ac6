"""Two releases of a demo project can't be joined on a person: no id or pseudonym that both have names anybody."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from tests.frontend.bots import demo_releases as reading
from tests.frontend.bots.demo_releases import Made
from tests.protocols.examples import with_demos

pytestmark = pytest.mark.sqlite_only  # files are the same from either database


def pairs(demo_releases, *, named: bool) -> list[tuple[Made, Made]]:
    """Two releases of the same project in the same format."""
    of_kind: dict[tuple[str, str], list[Made]] = defaultdict(list)
    for one in demo_releases:
        if (one.which == "named") == named:
            of_kind[one.protocol, one.format].append(one)
    found = [pair for same in of_kind.values() for pair in combinations(same, 2)]
    assert {one.protocol for one, _other in found} == {protocol.key for protocol in with_demos()}
    return found


def values(made: Made) -> Iterator[tuple[str, Any]]:
    """Every value and key in the files that are given out, with its place."""
    for name in made.given_out:
        if name.endswith((".jsonl", ".jsonl.gz", ".json", ".parquet")):
            found = made.manifest if name == "manifest.json" else reading.read(made.folder / name)
            kind = name if name in ("manifest.json", "decisions.jsonl", "left_out.jsonl") else "data"
            yield from _within(kind, found)


def _within(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield f"{place}.*", key
            yield from _within(f"{place}.{key}", one)
    elif isinstance(value, list):
        for one in value:
            yield from _within(place, one)
    else:
        yield place, value


@cache
def texts(made: Made) -> set[str]:
    """All values as texts."""
    return {str(value) for _place, value in values(made)}


def test_no_id_of_an_annotation_and_no_pseudonym_is_in_two_releases(demo_releases):
    for one, other in pairs(demo_releases, named=False) + pairs(demo_releases, named=True):
        mine, theirs = texts(one), texts(other)
        assert mine & names(one)
        assert not theirs & names(one)
        assert not mine & names(other)


@cache
def names(made: Made) -> set[str]:
    """The ids of a release's annotations and the pseudonyms of its people, as the members at the site have them."""
    found = {str(one[key]) for one in made.members.values() for key in ("id_hex", "id64", "worker")}
    found |= {name for one in made.members.values() for name in one.get("workers", {}).values()}
    return (found | set(made.manifest["annotations_by_person"])) - {""}


def test_no_id_inside_the_site_leaves_it(demo_releases):
    for made in demo_releases:
        inside = {*made.inside, *made.inside.values(), *(str(int(name[:16], 16)) for name in made.inside.values())}
        assert not {text.replace("-", "") for text in texts(made)} & inside
        text = made.card + json.dumps(made.manifest["notes"])
        assert not [name for name in inside if name in text]


def test_no_value_that_two_releases_share_groups_what_people_did_by_person(demo_releases):
    for one, other in pairs(demo_releases, named=False):
        mine, theirs = by_person(one), by_person(other)
        for place in mine.keys() & theirs.keys():
            if place.endswith(".seconds"):
                continue  # the script of the demo gives the same people the same time again and again
            shared = mine[place].keys() & theirs[place].keys()
            groups = [{person for person, _work in works} for value in shared if len(works := mine[place][value]) > 1]
            alone = {person for people in groups if len(people) == 1 for person in people}
            assert len(alone) < 2 or any(len(people) > 1 for people in groups), place


@cache
def by_person(made: Made) -> dict[str, dict[str, set[tuple[str, str]]]]:
    """By place and value, the annotations that have the value, or that an item with it was written in, and by whom."""
    authors = dict(made.rows("SELECT uuid, author_id FROM annotation_annotation"))
    works = {}
    for name, one in made.members.items():
        uuid = one["uuid"].replace("-", "")
        if authors[uuid]:  # a conversation is of two people
            works[name] = works[str(one["id64"])] = (authors[uuid], uuid)
    wrote = made.rows(
        "SELECT i.external_id, a.author_id, a.uuid FROM annotation_item i "
        "JOIN annotation_annotation a ON a.id = i.made_from_id"
    )
    works |= {name: (author, uuid) for name, author, uuid in wrote if author}
    found: dict[str, dict[str, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for name in made.given_out:
        if name.endswith((".jsonl", ".jsonl.gz", ".json", ".parquet")) and name != "manifest.json":
            for place, work, value in _of_works("data", None, reading.read(made.folder / name), works):
                found[place][value].add(work)
    return found


def _of_works(place: str, work: Any, value: Any, works: dict[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Each value with its place and the work, if any, that it is part of; what is empty is left out."""
    if isinstance(value, dict):
        named = (str(value[key]) for key in ("annotation_id", "question_id", "id", "annotation") if key in value)
        work = next((works[name] for name in named if name in works), work)
        for key, one in value.items():
            yield from _of_works(f"{place}.{key}", work, one, works)
    elif isinstance(value, list):
        for one in value:
            yield from _of_works(place, work, one, works)
    elif work and value not in ("", None):
        yield place, work, str(value)


def test_writers_are_named_only_where_the_lead_asks_and_can_then_be_joined(demo_releases):
    for made in demo_releases:
        if made.protocol == "qasper" and made.format == "qasper":
            assert bool(writers(made)) == (made.which == "named")
        elif made.format == "provenance":
            items = [one for _split, records in made.data() for one in reading.each(records, "items")]
            assert {one["made_by"] for one in items} == {""}
    [(one, other)] = [pair for pair in pairs(demo_releases, named=True) if pair[0].format == "qasper"]
    mine, theirs = writers(one), writers(other)
    joined = {(mine[name], theirs[name]) for name in mine}
    assert len(joined) == len(set(mine.values())) == len(set(theirs.values())) > 1


def writers(made: Made) -> dict[str, str]:
    """The pseudonyms beside the questions of QASPER's layout."""
    found = [one for _split, records in made.data() for paper in records for one in paper["qas"]]
    return {one["question_id"]: one["question_writer"] for one in found if one["question_writer"]}
