"""Files arrive in parts: a part that comes twice changes nothing, one that is damaged or out of order is refused."""

from __future__ import annotations

import errno
import os
import zlib
from collections import namedtuple
from datetime import timedelta

import pytest

from annotation.errors import DiskFull, NotFound, PartElsewhere, UploadRefused
from annotation.imports import uploads
from annotation.models import Event, Upload
from annotation.storage import files
from tests.builders import project
from tests.people import NOON, join

DATA = bytes(range(256)) * 40


def begin(nq, by, *, name="q.jsonl", data=DATA, size=None):
    size = len(data) if size is None else size
    return uploads.begin(nq, name=name, size=size, beginning=zlib.crc32(data), by=by, now=NOON)


def send(upload, start, end, *, data=DATA, now=NOON, checksum=None):
    checksum = zlib.crc32(data[:end]) if checksum is None else checksum
    return uploads.receive(upload, data[start:end], offset=start, checksum=checksum, now=now)


@pytest.fixture
def upload(nq, lena):
    return begin(nq, lena)


def test_a_file_arrives_in_parts_as_it_was_sent(upload, lena):
    for start in range(0, len(DATA), 3000):
        send(upload, start, min(start + 3000, len(DATA)))
    assert upload.is_whole
    assert uploads.path_of(upload).read_bytes() == DATA
    assert Event.objects.get(kind="upload.begun").by == lena.pk


def test_a_part_that_comes_twice_changes_nothing(upload):
    send(upload, 0, 3000)
    send(upload, 3000, 6000)
    assert send(upload, 0, 3000).received == 6000
    assert send(upload, 3000, 6000).received == 6000
    assert uploads.path_of(upload).read_bytes() == DATA[:6000]


@pytest.mark.parametrize(("start", "end"), [(4000, 5000), (2000, 4000)])
def test_a_part_that_does_not_follow_what_has_arrived_is_refused(upload, start, end):
    send(upload, 0, 3000)
    with pytest.raises(PartElsewhere):
        send(upload, start, end)
    assert Upload.objects.get().received == 3000


def test_a_damaged_part_is_refused_and_can_be_sent_again(upload):
    with pytest.raises(UploadRefused) as refused:
        send(upload, 0, 3000, checksum=1)
    assert refused.value.reason == "damaged"
    assert send(upload, 0, 3000).received == 3000


def test_a_part_beyond_the_end_of_the_file_is_refused(upload):
    send(upload, 0, 10_000)
    with pytest.raises(UploadRefused):
        send(upload, 10_000, len(DATA) + 1, data=DATA + b"x")


def test_bytes_left_of_a_part_that_was_cut_are_overwritten(upload):
    send(upload, 0, 3000)
    with uploads.path_of(upload).open("ab") as file:
        file.write(b"half a part")
    send(upload, 3000, len(DATA))
    assert uploads.path_of(upload).read_bytes() == DATA


def test_the_same_file_goes_on_where_it_was_and_another_one_begins_anew(upload, nq, lena):
    send(upload, 0, 3000)
    assert begin(nq, lena).received == 3000
    assert begin(nq, lena, data=DATA[::-1]).received == 0
    assert begin(nq, join(nq, "luke", "lead")).received == 0


def test_while_one_part_is_stored_another_one_is_sent_away(upload):
    send(upload, 0, 3000)
    with files.alone_with(uploads.path_of(upload).parent), pytest.raises(PartElsewhere):
        send(upload, 3000, 6000)


@pytest.mark.parametrize("name", ["", ".", "..", "../q.jsonl", "a/b", "a\\b", ".hidden", "a\nb", "x" * 201, "é" * 101])
def test_names_that_are_no_names_of_files_are_refused(nq, lena, name):
    with pytest.raises(UploadRefused) as refused:
        begin(nq, lena, name=name)
    assert refused.value.reason == "name"


@pytest.mark.parametrize("size", [0, uploads.LONGEST + 1])
def test_files_that_are_empty_or_too_large_are_refused(nq, lena, size):
    with pytest.raises(UploadRefused):
        begin(nq, lena, size=size)


def test_a_person_has_few_unfinished_uploads_in_a_project(nq, lena):
    begun = [begin(nq, lena, name=f"{number}.jsonl") for number in range(uploads.OF_A_PERSON)]
    with pytest.raises(UploadRefused):
        begin(nq, lena, name="more.jsonl")
    send(begun[0], 0, len(DATA))
    begin(nq, lena, name="more.jsonl")


def test_a_project_has_room_for_some_files(nq, lena, monkeypatch):
    monkeypatch.setattr(uploads, "OF_A_PROJECT", 2 * len(DATA))
    for number in range(2):
        begin(nq, lena, name=f"{number}.jsonl")
    with pytest.raises(UploadRefused):
        begin(nq, join(nq, "luke", "lead"), name="more.jsonl")
    other = project("elsewhere")
    begin(other, join(other, "luke", "lead"), name="more.jsonl")


def test_nothing_is_begun_that_the_disk_has_no_room_for(nq, lena, monkeypatch):
    usage = namedtuple("Usage", "free")
    monkeypatch.setattr(uploads.shutil, "disk_usage", lambda path: usage(uploads.SPARE + 2 * len(DATA) - 1))
    begin(nq, lena, name="first.jsonl")
    with pytest.raises(DiskFull):
        begin(nq, lena, name="second.jsonl")


def test_a_disk_that_becomes_full_leaves_what_had_arrived(upload, monkeypatch):
    send(upload, 0, 3000)

    def full(file):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", full)
        with pytest.raises(DiskFull):
            send(upload, 3000, 6000)
    assert uploads.path_of(upload).read_bytes() == DATA[:3000]
    assert send(upload, 3000, 6000).received == 6000


def test_a_removed_upload_takes_no_part_and_leaves_no_file(upload, lena, django_capture_on_commit_callbacks):
    send(upload, 0, 3000)
    late = Upload.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        uploads.remove(upload, by=lena, now=NOON)
    with pytest.raises(NotFound):
        send(late, 3000, 6000)
    assert list(uploads.folder().iterdir()) == []
    assert Event.objects.get(kind="upload.removed").by == lena.pk


def test_uploads_are_removed_a_day_after_their_last_part(nq, lena, django_capture_on_commit_callbacks):
    old, fresh = begin(nq, lena, name="old.jsonl"), begin(nq, lena, name="fresh.jsonl")
    send(old, 0, 3000)
    send(fresh, 0, 3000, now=NOON + timedelta(hours=3))
    (uploads.folder() / "left-over").mkdir()
    with django_capture_on_commit_callbacks(execute=True):
        uploads.remove_old(now=NOON + uploads.KEPT + timedelta(hours=1))
    assert list(Upload.objects.all()) == [fresh]
    assert [home.name for home in uploads.folder().iterdir()] == [str(fresh.uuid)]
