"""Releases of every demo project in every format: they open, their cards say what is in them, and can't be joined."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator

import pandas
import pytest

from tests.frontend.bots import demo_releases as reading
from tests.frontend.bots import exchanged_releases
from tests.frontend.bots.demo_releases import Made
from tests.protocols.examples import with_demos

pytestmark = pytest.mark.sqlite_only  # files are the same from either database
OPEN = """
import datasets, json, sys
cache, *folders = sys.argv[1:]
found = [datasets.load_dataset(folder, cache_dir=f"{cache}/{n}") for n, folder in enumerate(folders)]
print(json.dumps([{split: rows.num_rows for split, rows in one.items()} for one in found]))
"""


OF_EVERY_PROTOCOL = ("provenance", "huggingface")


@pytest.fixture(scope="module")
def releases(demo_releases):
    """One for each project and format, the demo's own, and those of what was said until then."""
    found = [one for one in demo_releases if one.which in ("own", "first", "until")]
    layouts = [
        len(protocol.formats)
        + len(OF_EVERY_PROTOCOL)
        + len(exchanged_releases.FORMATS) * (protocol.exchange is not None)
        for protocol in with_demos()
    ]
    assert len(found) == len(layouts) + sum(layouts) + len(layouts)
    return found


def test_datasets_opens_every_hugging_face_release(releases, tmp_path):
    of_kind = [one for one in releases if one.format == "huggingface" and one.which != "until"]
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    command = [sys.executable, "-c", OPEN, str(tmp_path), *(str(one.folder) for one in of_kind)]
    done = subprocess.run(command, env=os.environ | offline, capture_output=True, text=True, check=True)
    for one, splits in zip(of_kind, json.loads(done.stdout), strict=True):
        assert splits == {entry["split"]: entry["records"] for entry in one.manifest["files"]}
        assert all(splits.values())


def test_no_file_of_any_format_is_without_records_and_the_card_says_which_splits_have_none(releases):
    without = set()
    for one in releases:
        there = {split: len(records) for split, records in one.data()}
        assert all(there.values())
        missing = [split for split in one.manifest["counts"] if split not in there]
        assert [f"There is no file of the split {split}," in one.card for split in missing] == [True] * len(missing)
        assert one.card.count("There is no file of the split") == len(missing)
        without |= {one.format for _split in missing}
    assert without >= {"coqa", "huggingface"}


def test_pandas_opens_the_json_of_every_format(releases):
    for one in releases:
        for entry in one.manifest["files"]:
            path = one.folder / entry["name"]
            if ".jsonl" in path.name:
                assert len(pandas.read_json(path, lines=True)) == entry["records"]
            elif path.suffix == ".json":
                assert len(pandas.DataFrame(reading.read(path))) == entry["records"]


def test_sha256sum_checks_every_release(releases):
    for one in releases:
        checked = ["sha256sum", "--strict", "--quiet", "--check", "SHA256SUMS"]
        subprocess.run(checked, cwd=one.folder, check=True)
        files = {str(path.relative_to(one.folder)) for path in one.folder.rglob("*") if path.is_file()}
        assert files - set(one.given_out) == {"members.jsonl", "SHA256SUMS"}


def test_every_number_of_a_card_is_that_of_the_files(releases):
    for one in releases:
        counts: dict[str, dict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        ids, names = [], []
        for split, noun, name, found in annotations_in(one):
            counts[split][noun][len(found)] += 1
            ids += found
            names.append(name)
        rows = {split: rest for split, *rest in reading.table(one.card, "What is in it")}
        for split, kinds in counts.items():
            every = sum(n * items for found in kinds.values() for n, items in found.items())
            nouns = [f"{found.total()} {noun}" + "s" * (found.total() != 1) for noun, found in kinds.items()]
            assert rows.pop(split) == [", ".join(nouns), f"{every}", reading.overlap(kinds)], one
        assert all(rest[:2] == ["0", "0"] for rest in rows.values())
        people = check_people_and_hours(one, ids)
        check_writers(one, ids, names, people)
        if one.format == "provenance":
            check_sources_and_exclusions(one)


def annotations_in(one: Made) -> Iterator[tuple[str, str, str, list[str]]]:
    """(split, noun, name of the item, ids in the release of its annotations) of each item in the files."""
    if one.format not in exchanged_releases.FORMATS:
        yield from reading.annotations(one)
        return
    for split, records in one.data():
        for entry in exchanged_releases.annotations(one, records):
            yield (split, *entry)


def check_people_and_hours(one: Made, ids: list[str]) -> set[int]:
    """Who made the annotations of these ids, how long they took, and under which guidelines; returns the people."""
    frozen = {name: one.members[name] for name in ids}
    assert len(frozen) == len(ids)
    uuids = {name: entry["uuid"].replace("-", "") for name, entry in frozen.items()}
    rows = one.rows(
        "SELECT DISTINCT a.uuid, r.author_id, a.purpose, g.number FROM annotation_annotation a "
        "JOIN annotation_response r ON r.annotation_id = a.id "
        "LEFT JOIN annotation_guidelineversion g ON g.id = a.guidelines_id"
    )
    mine = [row for row in rows if row[0] in set(uuids.values())]
    people = {author for _uuid, author, purpose, _number in mine if purpose == "work"}
    said = one.card
    assert reading.numbers(line(said, "- Made here"))[:2] == [len(ids), len(people)]
    measured = [reading.seconds(one, uuids[name], entry["responses"]) for name, entry in frozen.items()]
    worked = [number for number in measured if number is not None]
    assert reading.numbers(line(said, "- Working time (active"))[:2] == [len(worked), sum(worked)]
    guidelines = Counter(number for _uuid, number in {(row[0], row[3]) for row in mine if row[3]})
    for number, made in guidelines.items():
        assert f"- Under guidelines {number} (since" in said
        assert reading.numbers(line(said, f"- Under guidelines {number} ").split("): ")[1]) == [made]
    assert said.count("- Under guidelines") == len(guidelines)
    return people


def check_writers(one: Made, ids: list[str], names: list[str], people: set[int]) -> None:
    """Who wrote the items of these names in annotations that are not in the files themselves, and how long it took."""
    inside = {one.members[name]["uuid"].replace("-", "") for name in ids}
    wrote = one.rows(
        "SELECT i.external_id, a.uuid, a.author_id FROM annotation_item i JOIN annotation_annotation a "
        "ON a.id = i.made_from_id JOIN annotation_project p ON p.id = i.project_id WHERE p.slug = ?",
        one.manifest["project"],
    )
    mine = [(uuid, author) for name, uuid, author in wrote if name in names and author and uuid not in inside]
    if not mine:
        assert "Written here" not in one.card
        return
    writers, works = {author for _uuid, author in mine}, {uuid for uuid, _author in mine}
    assert reading.numbers(line(one.card, "- Written here")) == [len(mine), len(writers)]
    worked = [number for uuid in works if (number := reading.seconds(one, uuid)) is not None]
    told = reading.numbers(line(one.card, "- Working time of the writing"))
    assert told[:2] + told[-1:] == [len(worked), len(works), sum(worked)]
    assert reading.numbers(line(one.card, "- In all,")) == [len(people | writers)]


def check_sources_and_exclusions(one: Made) -> None:
    """The licences of the documents, and what was left out although it was finished, as far as the files have them."""
    items = [item for _split, records in one.data() for item in reading.each(records, "items")]
    texts = [text for item in items for text in item["documents"] if not text["media_type"].startswith("image/")]
    licences = Counter(licence for _sha256, licence in {(text["sha256"], text["licence"]) for text in texts})
    told = {name: int(number) for name, number in reading.table(one.card, "Licences of the sources")}
    assert told == {licence or "not stated": number for licence, number in licences.items()}
    excluded = Counter(row["split"] for row in reading.read(one.folder / "left_out.jsonl"))
    said: Counter[str] = Counter()
    for split, number, why in reading.table(one.card, "What was left out, and why"):
        if why.startswith(("excluded", "came too late")):
            said[split] += reading.numbers(number)[0]
    assert said == excluded


def line(card: str, beginning: str) -> str:
    """The line of the card that begins with this."""
    return next(each for each in card.splitlines() if each.startswith(beginning))


def test_the_seconds_of_a_release_with_full_provenance_sum_up_to_those_of_its_card(releases):
    for one in releases:
        if one.format == "provenance":
            said = [each for _split, records in one.data() for each in said_in(records)]
            assert all(sum(row["seconds"] for row in each["responses"]) == each["seconds"] for each in said)
            told = reading.numbers(line(one.card, "- Working time (active"))
            assert told[:2] == [len(said), sum(each["seconds"] for each in said)]


def said_in(records):
    """The annotations whose time was measured."""
    for one in records:
        yield from (each for each in one["annotations"] if each["seconds"] is not None)
        yield from said_in(one["items"])
