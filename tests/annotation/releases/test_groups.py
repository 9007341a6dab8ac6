"""Records made of several items: their files survive a round trip, whatever the batches they are written in."""

from __future__ import annotations

import gzip
from dataclasses import replace

import orjson

from annotation import releases
from annotation.parsing.plain_text import text_document
from annotation.releases import data_files, rebuild
from tests import clippings as toy
from tests.clippings import article, import_articles, question
from tests.people import NOON

WORDS = "Otters sleep on 🦊 kelp and hold hands."
SIZES = (3, 1, 40, 2, 5, 1)
"""Questions per article: some fewer and some more than are written at a time."""


def articles(sizes=SIZES):
    """Articles whose questions are about two texts each, the first of which several articles share."""
    found, number = [], 0
    for place, size in enumerate(sizes):
        asked = [question(f"q{number + each}", WORDS, "kelp", "hands") for each in range(size)]
        texts = [{"text": WORDS, "questions": asked[: (size + 1) // 2]}]
        if size > 1:
            texts.append({"text": f"{WORDS} {place}", "questions": asked[(size + 1) // 2 :]})
        found.append(article(f"Article {place}", *texts))
        number += size
    return found


def as_written(found):
    return [{key: value for key, value in one.items() if key != "summaries"} for one in found]


def build(project, format="clippings", **kwargs):
    return releases.build(project, format=format, by=None, now=NOON, **kwargs)


def texts(release):
    """The uncompressed text of each data file, by name."""
    folder = releases.folder_of(release)
    return {
        entry["name"]: gzip.decompress(data) if entry["name"].endswith(".gz") else data
        for entry in releases.manifest_of(release)["files"]
        for data in [(folder / entry["name"]).read_bytes()]
    }


def test_a_file_survives_a_round_trip_between_the_fields_of_its_envelope(clippings, tmp_path):
    given = articles()
    import_articles(clippings, tmp_path, *given)
    [text] = texts(build(clippings)).values()
    found = orjson.loads(text)
    assert list(found) == ["version", "data", "source"]
    assert found == {"version": "c1", "data": as_written(given), "source": "our own"}


def test_the_text_is_one_record_a_line_in_the_envelope(clippings, tmp_path):
    given = as_written(articles((1, 1)))
    import_articles(clippings, tmp_path, *articles((1, 1)))
    [text] = texts(build(clippings)).values()
    rows = [orjson.dumps(one).decode() for one in given]
    assert text.decode() == '{"version": "c1", "data": [' + ",\n".join(rows) + '], "source": "our own"}\n'


def test_the_bytes_do_not_depend_on_how_many_items_are_written_at_a_time(clippings, tmp_path, monkeypatch):
    import_articles(clippings, tmp_path, *articles())
    usual = texts(build(clippings))
    for size in (1, 2, 7, 1000):
        monkeypatch.setattr(data_files, "SLICE", size)
        assert texts(build(clippings)) == usual, size


def test_no_record_is_split_between_shards_and_each_has_the_envelope(clippings, tmp_path):
    given = as_written(articles())
    import_articles(clippings, tmp_path, *articles())
    release = build(clippings, "clippings-sharded")
    shards = [orjson.loads(text) for text in texts(release).values()]
    # At most four questions a shard, unless one article has more.
    assert [[one["title"][-1] for one in shard["data"]] for shard in shards] == [["0", "1"], ["2"], ["3"], ["4"], ["5"]]
    assert [one for shard in shards for one in shard["data"]] == given
    assert all(shard["source"] == "our own" for shard in shards)
    names = [entry["name"] for entry in releases.manifest_of(release)["files"]]
    assert names == [f"train-{number}.json.gz" for number in range(5)]


def test_the_manifest_counts_the_records_of_a_file_and_the_items_of_a_split(clippings, tmp_path):
    import_articles(clippings, tmp_path, *articles())
    manifest = releases.manifest_of(build(clippings))
    assert [entry["records"] for entry in manifest["files"]] == [len(SIZES)]
    assert manifest["counts"]["train"]["items"] == sum(SIZES)
    assert manifest["counts"]["train"]["annotations"] == 2 * sum(SIZES)


def test_a_frozen_release_of_groups_is_rebuilt_byte_for_byte(clippings, tmp_path):
    import_articles(clippings, tmp_path, *articles())
    release = build(clippings, "clippings-sharded")
    (tmp_path / "again").mkdir()
    rebuild.rebuild(release, tmp_path / "again")
    for path in releases.folder_of(release).iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_unanswered_questions_are_left_out_of_their_record_and_counted(clippings, tmp_path):
    first, second = articles((2, 2))
    import_articles(clippings, tmp_path, first)
    import_articles(clippings, tmp_path, second, published=False)
    release = build(clippings)
    assert [one["title"] for one in orjson.loads(*texts(release).values())["data"]] == ["Article 0"]
    assert releases.manifest_of(release)["counts"]["train"]["left_out_incomplete"] == 2


def test_articles_of_one_title_that_are_not_adjacent_stay_two(clippings, tmp_path):
    first, second = articles((2, 2))
    third = article("Article 0", {"text": "More.", "questions": [question("z", "More.", "More")]})
    import_articles(clippings, tmp_path, first, second, third)
    [text] = texts(build(clippings, "clippings-lines")).values()
    assert [orjson.loads(line)["title"] for line in text.splitlines()] == ["Article 0", "Article 1", "Article 0"]


def test_a_record_may_use_the_document_of_its_root(clippings, changed, tmp_path):
    def read(source):
        for item in toy.read(source):
            text = f"The text of {item.external_id}."
            yield replace(item, documents=(text_document(text, "text"),) if item.kind == "article" else ())

    def write(format, records):
        for record in records:
            yield record.item.root.documents[0].text, len(record.item.documents)

    changed(read=read, write=write)
    import_articles(clippings, tmp_path, *articles((2, 1)))
    [text] = texts(build(clippings, "clippings-lines")).values()
    first, second = ["The text of Article 0.", 0], ["The text of Article 1.", 0]
    assert [orjson.loads(line) for line in text.splitlines()] == [first, first, second]
