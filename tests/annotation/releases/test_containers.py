"""What surrounds the records in a data file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation import releases
from annotation.errors import ReleaseRefused
from annotation.parsing.envelopes import Envelope
from annotation.releases import recipes
from tests import clippings as toy
from tests.clippings import article, import_articles, question
from tests.people import NOON

WORDS = "Otters sleep on kelp."
SUMMED_UP = toy.FORMATS[-1]


@pytest.fixture
def written(clippings, changed, tmp_path):
    """Return a function: the text of each file of two articles, in a format with these fields; `write` as the toy's."""
    texts = ({"text": WORDS, "questions": [question(f"q{number}", WORDS, "kelp")]} for number in range(2))
    import_articles(clippings, tmp_path, *(article(name, text) for name, text in zip("AB", texts, strict=True)))

    def build(write=lambda format, records: (record.item.external_id for record in records), **fields):
        changed(formats=[replace(SUMMED_UP, **fields)], write=write)
        release = releases.build(clippings, format=SUMMED_UP.key, by=None, now=NOON)
        names = [entry["name"] for entry in releases.manifest_of(release)["files"]]
        return {name: (releases.folder_of(release) / name).read_text() for name in names}

    return build


ENVELOPES = [
    (Envelope("data"), '{"data": ["A",\n"B"]}\n'),
    (Envelope("data", before={"version": "v2.0"}), '{"version": "v2.0", "data": ["A",\n"B"]}\n'),
    (Envelope("data", after={"version": "1.1"}), '{"data": ["A",\n"B"], "version": "1.1"}\n'),
    (
        Envelope("é", before={"z": None, "a": {"b": [1]}}, after={"y": "🦊", "x": 0.5}),
        '{"z": null, "a": {"b":[1]}, "é": ["A",\n"B"], "y": "🦊", "x": 0.5}\n',
    ),
]


@pytest.mark.parametrize(("container", "text"), ENVELOPES)
def test_an_envelope_has_its_fields_before_and_after_the_list_in_their_order(written, container, text):
    assert written(container=container) == {"train.jsonl": text}


def test_lines_and_an_object_are_as_they_were(written):
    assert written() == {"train.jsonl": '"A"\n"B"\n'}
    pairs = written(container="object", write=lambda format, records: ((each.item.external_id, 1) for each in records))
    assert pairs == {"train.jsonl": '{"A": 1,\n"B": 1}\n'}


CONTAINERS = [("lines", ""), ("object", "{}\n"), (Envelope("data", after={"n": 1}), '{"data": [], "n": 1}\n')]


@pytest.mark.parametrize(("container", "text"), CONTAINERS)
def test_a_file_without_a_record_is_still_a_valid_container_from_the_first_writer(
    written, monkeypatch, container, text
):
    monkeypatch.setattr(recipes, "WRITER", 1)
    assert written(container=container, write=nothing) == {"train.jsonl": text}


@pytest.mark.parametrize("container", [container for container, _text in CONTAINERS])
def test_there_is_no_file_without_a_record_and_no_release_without_a_file(written, container):
    with pytest.raises(ReleaseRefused, match="the format leaves out all that is finished"):
        written(container=container, write=nothing)


def nothing(format, records):
    return iter(list(records)[:0])


def test_shards_have_as_many_items_as_the_format_says_and_an_envelope_each(written):
    found = written(container=Envelope("data"), shard_size=1, pattern="{split}-{shard:02d}.json")
    assert found == {"train-00.json": '{"data": ["A"]}\n', "train-01.json": '{"data": ["B"]}\n'}


def test_an_envelope_cannot_have_a_field_twice():
    with pytest.raises(ValueError, match="version, data, version"):
        Envelope("data", before={"version": 1}, after={"version": 2})
    with pytest.raises(ValueError):
        Envelope("data", before={"data": []})
