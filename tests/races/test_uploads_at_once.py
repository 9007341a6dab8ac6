"""Parts and imports at the same moment: nothing is stored twice, and one import of a project runs at a time."""

from __future__ import annotations

import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from annotation.errors import PartElsewhere, UploadRefused
from annotation.imports import uploads
from annotation.models import Item, Job, Upload
from tasks.background import long_jobs
from tasks.engine.queues import visible
from tests.builders import project, questions
from tests.people import NOON, join
from tests.uploading import asked

pytestmark = pytest.mark.django_db(transaction=True)
DATA = bytes(range(256)) * 64


def at_once(count, call):
    """Call a function in as many threads, which begin together; their results or refusals."""
    barrier = threading.Barrier(count)

    def one(number):
        try:
            barrier.wait()
            return call(number)
        except (PartElsewhere, UploadRefused) as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def begin(into, by, name="q.jsonl"):
    return uploads.begin(into, name=name, size=len(DATA), beginning=zlib.crc32(DATA), by=by, now=NOON)


def test_a_part_that_comes_in_several_requests_at_once_is_stored_once(db):
    lights = project()
    upload = begin(lights, join(lights, "lena", "lead"))
    for start in range(0, len(DATA), 4096):
        part, checksum = DATA[start : start + 4096], zlib.crc32(DATA[: start + 4096])
        found = at_once(
            4,
            lambda number, at=start, part=part, checksum=checksum: uploads.receive(
                Upload.objects.get(pk=upload.pk), part, offset=at, checksum=checksum, now=NOON
            ),
        )
        assert any(isinstance(each, Upload) for each in found)
    assert Upload.objects.get().is_whole
    assert uploads.path_of(upload).read_bytes() == DATA


def test_the_same_file_is_begun_once_and_the_bounds_hold(db):
    lights = project()
    lena = join(lights, "lena", "lead")
    assert len({each.pk for each in at_once(4, lambda number: begin(lights, lena))}) == 1
    found = at_once(8, lambda number: begin(lights, lena, f"{number}.jsonl"))
    assert sum(isinstance(each, UploadRefused) for each in found) == 9 - uploads.OF_A_PERSON
    assert Upload.objects.count() == uploads.OF_A_PERSON


def test_of_two_imports_of_a_project_one_waits(db):
    lights = project()
    lena = join(lights, "lena", "lead")
    jobs = [asked(lights, lena, questions(3, start=3 * number), name=f"{number}.jsonl") for number in range(2)]
    at_once(2, lambda number: long_jobs.run(jobs[number].pk))
    ended = Job.objects.filter(kind=uploads.KIND, state="done").count()
    assert ended >= 1
    for job in Job.objects.filter(kind=uploads.KIND, state="queued"):
        long_jobs.run(job.pk)
    assert not Job.objects.filter(state="failed").exists()
    assert Item.objects.filter(visible(), project=lights).count() == 6
