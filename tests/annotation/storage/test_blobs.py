"""Documents and layouts are stored once, together with the rows that refer to them, and come back as they were."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from django.db import connection

from annotation.imports import insert, run
from annotation.models import Blob, Item
from annotation.parsing.sources import FileSource
from annotation.storage import blobs
from tests.annotation.storage.looking import leftovers, stored, unreadable
from tests.builders import PAGE, load, project, write_lines
from tests.people import NOON

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_both_databases]


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def batches(monkeypatch):
    """The statements of each batch of rows that is inserted, and the bytes of the documents and layouts among them."""
    seen, real, add = [], insert.insert, blobs.insert

    def counted(*args, **kwargs):
        seen.append(0)
        real(*args, **kwargs)

    def added(rows):
        seen[-1] += sum(len(row.data) for row in rows)
        add(rows)

    monkeypatch.setattr(insert, "insert", counted)
    monkeypatch.setattr(blobs, "insert", added)
    return seen


def pages(count, *, page=PAGE):
    """Questions with a page each."""
    return [
        {"question_text": f"q{n}", "document_html": page.replace("1823", str(n)), "example_id": n} for n in range(count)
    ]


def killed_after(into, path, count, monkeypatch):
    """Import, and stop after so many batches of rows as a killed process does: in the middle of the next one."""
    real, left = insert.insert, [None] * count

    def until(*args, **kwargs):
        if not left:
            patched.setattr(insert.ItemDocument.objects, "bulk_create", killed)
        else:
            left.pop()
        real(*args, **kwargs)

    def killed(*args, **kwargs):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(insert, "insert", until)
        with pytest.raises(Killed):
            load(into, path)


def test_bytes_come_back_as_they_were_stored_under_their_sha_256():
    rng = random.Random(20130)
    things = [b"", b"\0", *(rng.randbytes(size) for size in (1, 300, 300_000))]
    packed = [blobs.pack(data) for data in things]
    blobs.insert(packed)
    assert [blob.sha256 for blob in packed] == [hashlib.sha256(data).hexdigest() for data in things]
    assert [blobs.read(blob.sha256) for blob in packed] == things


def test_what_is_not_there_is_missing():
    with pytest.raises(blobs.Missing, match="00"):
        blobs.read("00" * 32)


def test_blobs_that_are_read_one_after_another_take_a_query_for_many(django_assert_num_queries):
    things = [b"%d" % number for number in range(2 * blobs.AHEAD + 1)]
    packed = [blobs.pack(data) for data in things]
    blobs.insert(packed)
    names = [blob.sha256 for blob in packed]
    series = blobs.Series([*names, *names[:3]], using="default")
    with django_assert_num_queries(3):
        assert [series.read(name) for name in names] == things
    with django_assert_num_queries(1):
        assert series.read(names[0]) == things[0]  # again, after later ones
    with pytest.raises(blobs.Missing):
        blobs.Series(["00" * 32], using="default").read("00" * 32)


def test_a_page_is_stored_once_however_often_it_is_imported(nq, tmp_path):
    lines = [line | {"document_html": PAGE} for line in pages(3)]
    load(nq, write_lines(tmp_path / "a.jsonl", lines))
    load(project("other"), write_lines(tmp_path / "b.jsonl", lines))
    assert Item.objects.count() == 6
    assert Blob.objects.count() == 2


def test_pages_compress(nq, tmp_path):
    load(nq, write_lines(tmp_path / "q.jsonl", pages(1, page=PAGE.replace("</p>", "<br>again" * 5_000 + "</p>", 1))))
    [longest] = sorted(Blob.objects.all(), key=lambda blob: len(blob.data))[-1:]
    assert len(longest.data) < len(blobs.read(longest.sha256)) / 3


@pytest.mark.parametrize(("bytes_at_most", "count"), [(10**9, 1), (2_000, 5), (1, 10)])
def test_a_transaction_has_a_bounded_number_of_bytes(nq, tmp_path, monkeypatch, batches, bytes_at_most, count):
    monkeypatch.setattr(insert, "BATCH_BYTES", bytes_at_most)
    load(nq, write_lines(tmp_path / "q.jsonl", pages(10)))
    longest = max(len(blob.data) for blob in Blob.objects.all()) * 2
    assert max(batches) < bytes_at_most + longest
    assert len(batches) == count
    assert (leftovers(), unreadable(), len(stored())) == ([], [], 20)


def test_items_that_share_a_page_share_a_transaction(nq, tmp_path, monkeypatch, batches):
    lines = [line | {"document_html": PAGE} for line in pages(10)]
    load(nq, write_lines(tmp_path / "q.jsonl", lines))
    [weight] = batches
    monkeypatch.setattr(insert, "BATCH_BYTES", weight + 1)
    load(project("other"), write_lines(tmp_path / "q.jsonl", lines))
    assert batches == [weight, 0]


def test_a_refused_import_leaves_nothing(nq, tmp_path, settings):
    with pytest.raises(run.LinesRefused):
        load(nq, write_lines(tmp_path / "q.jsonl", [*pages(18), b"{"]))
    left = [path.name for path in Path(settings.GOLDFINCH_DATA).rglob("*") if path.is_file()]
    assert [name for name in left if not name.endswith(".lock")] == []
    assert stored() == set()


def test_of_a_file_with_refused_lines_the_pages_of_the_others_are_stored(nq, tmp_path):
    source = FileSource(write_lines(tmp_path / "q.jsonl", [*pages(3), b"{"]))
    run.run(
        nq,
        source,
        sha256=source.sha256(),
        by=None,
        clock=lambda: NOON,
        progress=lambda *seen: None,
        mode=run.Mode.GOOD,
    )
    assert (leftovers(), unreadable(), len(stored())) == ([], [], 6)


def test_an_error_in_pass_one_leaves_nothing(nq, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_refuse_changed_items", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        load(nq, write_lines(tmp_path / "q.jsonl", pages(3)))
    assert (leftovers(), stored()) == ([], set())


@pytest.mark.parametrize("count", [0, 1, 2])
def test_of_a_killed_import_nothing_is_stored_to_which_no_row_refers_and_it_resumes(nq, tmp_path, monkeypatch, count):
    monkeypatch.setattr(insert, "BATCH", 20)
    path = write_lines(tmp_path / "q.jsonl", pages(25))
    killed_after(nq, path, count, monkeypatch)
    assert 2 * Item.objects.count() == len(stored()) == 20 * count
    assert (leftovers(), unreadable()) == ([], [])
    load(nq, path)
    assert Item.objects.count() == 25
    assert (leftovers(), unreadable(), len(stored())) == ([], [], 50)


@pytest.mark.database
def test_postgresql_keeps_them_outside_of_rows_and_does_not_compress_them_again():
    if connection.vendor == "postgresql":
        sql = "SELECT attstorage FROM pg_attribute WHERE attrelid = 'annotation_blob'::regclass AND attname = 'data'"
        with connection.cursor() as cursor:
            cursor.execute(sql)
            assert cursor.fetchone() == ("e",)
